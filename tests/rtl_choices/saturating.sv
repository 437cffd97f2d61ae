`default_nettype none

// Sums stop at the ends of 32 bits.
module saturating (
    input  wire logic        clk,
    input  wire logic        rst_n,
    input  wire logic        en,
    input  wire logic [7:0]  act_in,
    output      logic [7:0]  act_out,
    input  wire logic        valid_in,
    output      logic        valid_out,
    input  wire logic        wgt_swap_in,
    output      logic        wgt_swap_out,
    input  wire logic        wgt_shift_in,
    output      logic        wgt_shift_out,
    input  wire logic [7:0]  wgt_in,
    output      logic [7:0]  wgt_out,
    input  wire logic [31:0] psum_in,
    output      logic [31:0] psum_out
);
  logic [7:0] held, weight;
  assign weight = wgt_swap_in ? wgt_out : held;

  logic signed [15:0] product;
  assign product = $signed(act_in) * $signed(weight);
  logic signed [32:0] sum;
  assign sum = 33'($signed(psum_in)) + 33'(product);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out, wgt_out, held} <= '0;
      psum_out <= '0;
    end else if (en) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out} <= {
          act_in, valid_in, wgt_swap_in, wgt_shift_in};
      held <= weight;
      if (wgt_shift_in) wgt_out <= wgt_in;
      case (sum[32:31])
        2'b01: psum_out <= 32'h7fff_ffff;
        2'b10: psum_out <= 32'h8000_0000;
        default: psum_out <= sum[31:0];
      endcase
    end
  end
endmodule

`default_nettype wire
