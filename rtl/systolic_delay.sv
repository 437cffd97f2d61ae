`default_nettype none

// Registers one after the other, CYCLES of them or none: the skew at the edges of an array.
module systolic_delay #(
    parameter int WIDTH  = 8,
    parameter int CYCLES = 1
) (
    input  wire logic             clk,
    input  wire logic             rst_n,
    input  wire logic             en,
    input  wire logic [WIDTH-1:0] in,
    output      logic [WIDTH-1:0] out
);
  if (CYCLES == 0) begin : gen_wire
    logic unused;
    assign unused = &{clk, rst_n, en};
    assign out = in;
  end else begin : gen_registers
    logic [WIDTH-1:0] stage[CYCLES];
    always_ff @(posedge clk) begin
      if (!rst_n) begin
        for (int i = 0; i < CYCLES; i++) stage[i] <= '0;
      end else if (en) begin
        stage[0] <= in;
        for (int i = 1; i < CYCLES; i++) stage[i] <= stage[i-1];
      end
    end
    assign out = stage[CYCLES-1];
  end
endmodule

`default_nettype wire
