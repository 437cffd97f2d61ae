`default_nettype none

// Sums of 20 bits.
module narrow_sums (
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
    input  wire logic [19:0] psum_in,
    output      logic [19:0] psum_out
);
  logic [7:0] held, weight;
  assign weight = wgt_swap_in ? wgt_out : held;

  logic signed [15:0] product;
  assign product = $signed(act_in) * $signed(weight);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out, wgt_out, held} <= '0;
      psum_out <= '0;
    end else if (en) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out} <= {
          act_in, valid_in, wgt_swap_in, wgt_shift_in};
      held <= weight;
      if (wgt_shift_in) wgt_out <= wgt_in;
      psum_out <= psum_in + 20'(product);
    end
  end
endmodule

`default_nettype wire
