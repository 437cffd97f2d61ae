`default_nettype none

// The product of two numbers of EXP exponent and MAN fraction bits (bf16: 8, 7; fp16: 5, 10; fp32:
// 8, 23), rounded once to fp32.
module fp_multiply #(
    parameter int EXP = 8,
    parameter int MAN = 7
) (
    input  wire logic [EXP+MAN:0] a,
    input  wire logic [EXP+MAN:0] b,
    output      logic [31:0]      product
);
  localparam int Bias = (1 << (EXP - 1)) - 1;
  localparam int P = 2 * (MAN + 1);       // bits of the product of the significands
  localparam int W = P > 28 ? P : 28;

  // A significand with its leading one in place, and the unbiased exponent that belongs to it.
  typedef struct packed {
    logic [MAN:0]       significand;
    logic signed [11:0] exponent;
  } unpacked_t;

  function automatic unpacked_t unpack(input logic [EXP-1:0] exponent_bits,
                                       input logic [MAN-1:0] fraction);
    unpacked_t u;
    u.significand = {exponent_bits != '0, fraction};
    u.exponent = 12'(exponent_bits) - 12'(Bias);
    if (exponent_bits == '0) begin
      u.exponent = 12'sd1 - 12'(Bias);
      for (int i = 0; i < MAN; i++) begin
        if (!u.significand[MAN]) begin
          u.significand = u.significand << 1;
          u.exponent = u.exponent - 12'sd1;
        end
      end
    end
    return u;
  endfunction

  logic               sign;
  unpacked_t          left;
  unpacked_t          right;
  logic [P-1:0]       exact;
  logic [W-1:0]       aligned;
  logic signed [11:0] exponent;
  logic [31:0]        finite;
  logic               a_special, b_special, a_zero, b_zero, a_nan, b_nan;

  always_comb begin
    sign = a[EXP+MAN] ^ b[EXP+MAN];
    left = unpack(a[EXP+MAN-1:MAN], a[MAN-1:0]);
    right = unpack(b[EXP+MAN-1:MAN], b[MAN-1:0]);
    exact = P'(left.significand) * P'(right.significand);
    exponent = left.exponent + right.exponent + 12'sd127;
    aligned = W'(exact) << (W - P);
    if (exact[P-1]) exponent = exponent + 12'sd1;
    else aligned = aligned << 1;
  end

  always_comb begin
    a_special = &a[EXP+MAN-1:MAN];
    b_special = &b[EXP+MAN-1:MAN];
    a_nan = a_special && a[MAN-1:0] != '0;
    b_nan = b_special && b[MAN-1:0] != '0;
    a_zero = a[EXP+MAN-1:0] == '0;
    b_zero = b[EXP+MAN-1:0] == '0;
    product = finite;
    if (a_special || b_special) product = {sign, 8'hff, 23'd0};
    if (a_nan || b_nan || (a_special && b_zero) || (b_special && a_zero)) product = 32'h7fc0_0000;
  end

  fp32_round #(
      .W(W)
  ) round (
      .sign,
      .exponent,
      .significand(aligned),
      .result(finite)
  );
endmodule

`default_nettype wire
