`default_nettype none

// The weight registers of a PE. With a shadow, weights shift through it, and a swap makes its weight
// the active one within the same cycle; without, they shift through the active register.
module systolic_weight #(
    parameter int WIDTH  = 8,
    parameter bit SHADOW = 1'b1
) (
    input  wire logic             clk,
    input  wire logic             rst_n,
    input  wire logic             en,
    input  wire logic             shift,
    input  wire logic             swap,
    input  wire logic [WIDTH-1:0] wgt_in,
    output      logic [WIDTH-1:0] wgt_out,
    output      logic [WIDTH-1:0] weight   // to multiply with in this cycle
);
  always_ff @(posedge clk) begin
    if (!rst_n) wgt_out <= '0;
    else if (en && shift) wgt_out <= wgt_in;
  end

  if (SHADOW) begin : gen_shadow
    logic [WIDTH-1:0] active;
    assign weight = swap ? wgt_out : active;
    always_ff @(posedge clk) begin
      if (!rst_n) active <= '0;
      else if (en) active <= weight;
    end
  end else begin : gen_single
    logic unused_swap;
    assign unused_swap = swap;
    assign weight = wgt_out;
  end
endmodule

`default_nettype wire
