`default_nettype none

// The multiplier rests when an operand is zero: its inputs keep what they had.
module zero_gated (
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

  logic               gate;
  logic signed [7:0]  left, right, left_before, right_before;
  logic signed [15:0] product;
  assign gate = act_in == '0 || weight == '0;
  assign left = gate ? left_before : act_in;
  assign right = gate ? right_before : weight;
  assign product = left * right;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out, wgt_out, held} <= '0;
      {left_before, right_before} <= '0;
      psum_out <= '0;
    end else if (en) begin
      {act_out, valid_out, wgt_swap_out, wgt_shift_out} <= {
          act_in, valid_in, wgt_swap_in, wgt_shift_in};
      held <= weight;
      if (wgt_shift_in) wgt_out <= wgt_in;
      {left_before, right_before} <= {left, right};
      psum_out <= gate ? psum_in : psum_in + 32'(product);
    end
  end
endmodule

`default_nettype wire
