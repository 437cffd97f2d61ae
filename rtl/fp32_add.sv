`default_nettype none

// The sum of two fp32 numbers, rounded once to nearest even.
module fp32_add (
    input  wire logic [31:0] a,
    input  wire logic [31:0] b,
    output      logic [31:0] sum
);
  localparam int W = 52;  // a carry, 24 bits, and 27 below them

  logic [31:0]        greater;  // by magnitude
  logic [30:0]        lesser;
  logic [W-1:0]       upper, lower, aligned, exact;
  logic [7:0]         distance;
  logic signed [11:0] exponent;
  logic               subtract, sign;
  logic [31:0]        finite;
  logic               a_nan, b_nan, a_infinite, b_infinite;

  // The exponent of a subnormal is that of the smallest normal number.
  function automatic logic [7:0] exponent_of(input logic [7:0] bits);
    return bits == 8'd0 ? 8'd1 : bits;
  endfunction

  function automatic logic [W-1:0] significand_of(input logic [30:0] magnitude);
    return {1'b0, magnitude[30:23] != 8'd0, magnitude[22:0], 27'd0};
  endfunction

  always_comb begin
    greater = a[30:0] >= b[30:0] ? a : b;
    lesser = a[30:0] >= b[30:0] ? b[30:0] : a[30:0];
    subtract = a[31] ^ b[31];
    upper = significand_of(greater[30:0]);
    lower = significand_of(lesser);
    distance = exponent_of(greater[30:23]) - exponent_of(lesser[30:23]);
    // What is shifted out is less than an eighth of the last place, where no tie can be near.
    aligned = lower >> distance;
    exact = subtract ? upper - aligned : upper + aligned;
    exponent = 12'(exponent_of(greater[30:23])) + 12'sd1;
    sign = exact == '0 && subtract ? 1'b0 : greater[31];
    for (int i = 0; i < W; i++) begin
      if (!exact[W-1] && exact != '0) begin
        exact = exact << 1;
        exponent = exponent - 12'sd1;
      end
    end
  end

  always_comb begin
    a_nan = a[30:0] > 31'h7f80_0000;
    b_nan = b[30:0] > 31'h7f80_0000;
    a_infinite = a[30:0] == 31'h7f80_0000;
    b_infinite = b[30:0] == 31'h7f80_0000;
    sum = finite;
    if (a_infinite || b_infinite) sum = a_infinite ? a : b;
    if (a_nan || b_nan || (a_infinite && b_infinite && subtract)) sum = 32'h7fc0_0000;
  end

  fp32_round #(
      .W(W)
  ) round (
      .sign,
      .exponent,
      .significand(exact),
      .result(finite)
  );
endmodule

`default_nettype wire
