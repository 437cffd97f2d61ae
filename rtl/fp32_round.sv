`default_nettype none

// Rounds ± significand / 2^(W - 1) · 2^(exponent - 127) to fp32, to nearest even. The highest bit of
// the significand is set, unless it is zero.
module fp32_round #(
    parameter int W = 52  // at least 26
) (
    input  wire logic               sign,
    input  wire logic signed [11:0] exponent,  // biased; below 1 the result is subnormal
    input  wire logic [W-1:0]       significand,
    output      logic [31:0]        result
);
  logic [11:0]  below;    // places that a subnormal result lies lower
  logic [W-1:0] shifted;
  logic         lost;     // something was shifted out
  logic         up;
  logic [24:0]  rounded;  // with the carry
  logic [11:0]  biased;

  always_comb begin
    below = exponent < 12'sd1 ? 12'd1 - 12'(exponent) : 12'd0;
    if (below > 12'(W)) below = 12'(W);
    shifted = significand >> below;
    lost = (shifted << below) != significand;
    up = shifted[W-25] & (shifted[W-24] | lost | (|shifted[W-26:0]));
    rounded = {1'b0, shifted[W-1-:24]} + 25'(up);
    biased = exponent < 12'sd1 ? 12'(rounded[23]) : 12'(exponent) + 12'(rounded[24]);
    result = biased >= 12'd255 ? {sign, 8'hff, 23'd0} : {sign, biased[7:0], rounded[22:0]};
    if (significand == '0) result = {sign, 31'd0};
  end
endmodule

`default_nettype wire
