`default_nettype none

// ROWS × COLS PEs that hold weights: activations move east, sums and weights south. What belongs
// together enters together, and registers on the edges bring it into the order of the wavefront: row
// r of the activations and column c of the weights wait for r and c cycles. The sums of a row leave
// column by column. Everything stands still while `en` is low.
module systolic_array #(
    parameter int ROWS       = 4,
    parameter int COLS       = 4,
    parameter int ACT_WIDTH  = 8,
    parameter int WGT_WIDTH  = 8,
    parameter int PSUM_WIDTH = 32,
    parameter bit FLOAT      = 1'b0,
    parameter int EXP        = 8,
    parameter int MAN        = 7,
    parameter int LATENCY    = 1,
    parameter bit SATURATE   = 1'b0,
    parameter bit SHADOW     = 1'b1
) (
    input  wire logic                  clk,
    input  wire logic                  rst_n,
    input  wire logic                  en,
    // A row of activations.
    input  wire logic [ACT_WIDTH-1:0]  act_in   [ROWS],
    input  wire logic                  valid_in,
    input  wire logic                  wgt_swap_in,   // the first row on the newest tile of weights
    // A row of weights, the last of a tile first.
    input  wire logic [WGT_WIDTH-1:0]  wgt_in   [COLS],
    input  wire logic                  wgt_shift_in,
    input  wire logic                  wgt_first_in,  // with the first row of a tile
    output      logic [PSUM_WIDTH-1:0] psum_out [COLS],
    output      logic                  valid_out[COLS]
);
  // [r][c] goes into PE (r, c) from the west, [r + 1][c] comes out of it in the south.
  /* verilator lint_off UNOPTFLAT */
  logic [ACT_WIDTH-1:0]  act  [ROWS][COLS+1]  /* verilator public_flat_rd */;
  logic [PSUM_WIDTH-1:0] psum [ROWS+1][COLS]  /* verilator public_flat_rd */;
  logic [WGT_WIDTH-1:0]  wgt  [ROWS+1][COLS];
  logic                  valid[ROWS][COLS+1]  /* verilator public_flat_rd */;
  logic                  swap [ROWS][COLS+1];
  logic                  shift[ROWS][COLS+1];
  /* verilator lint_on UNOPTFLAT */

  // A row takes part in the shifting of a tile once the tile's first row has come down to it: above
  // it, weights that are still in use go on standing behind the swap that is on its way.
  logic [ROWS-1:0] reached;
  always_ff @(posedge clk) begin
    if (!rst_n) reached <= '0;
    else if (en && wgt_shift_in) reached <= wgt_first_in ? ROWS'(1) : (reached << 1) | ROWS'(1);
  end

  for (genvar r = 0; r < ROWS; r++) begin : gen_west
    if (r == 0) begin : gen_shift
      assign shift[r][0] = wgt_shift_in;
    end else begin : gen_shift
      assign shift[r][0] = wgt_shift_in && !wgt_first_in && reached[r-1];
    end
    systolic_delay #(
        .WIDTH (ACT_WIDTH + 2),
        .CYCLES(r)
    ) skew (
        .clk,
        .rst_n,
        .en,
        .in ({wgt_swap_in, valid_in, act_in[r]}),
        .out({swap[r][0], valid[r][0], act[r][0]})
    );
  end

  for (genvar c = 0; c < COLS; c++) begin : gen_north
    assign psum[0][c] = '0;
    systolic_delay #(
        .WIDTH (WGT_WIDTH),
        .CYCLES(c)
    ) skew (
        .clk,
        .rst_n,
        .en,
        .in (wgt_in[c]),
        .out(wgt[0][c])
    );
    assign psum_out[c] = psum[ROWS][c];
    // Sums leave after all stages of a PE.
    systolic_delay #(
        .WIDTH (1),
        .CYCLES(LATENCY - 1)
    ) stages (
        .clk,
        .rst_n,
        .en,
        .in (valid[ROWS-1][c+1]),
        .out(valid_out[c])
    );
  end

  for (genvar r = 0; r < ROWS; r++) begin : gen_row
    for (genvar c = 0; c < COLS; c++) begin : gen_col
      systolic_cell #(
          .ACT_WIDTH (ACT_WIDTH),
          .WGT_WIDTH (WGT_WIDTH),
          .PSUM_WIDTH(PSUM_WIDTH),
          .FLOAT     (FLOAT),
          .EXP       (EXP),
          .MAN       (MAN),
          .LATENCY   (LATENCY),
          .SATURATE  (SATURATE),
          .SHADOW    (SHADOW)
      ) pe (
          .clk,
          .rst_n,
          .en,
          .act_in(act[r][c]),
          .act_out(act[r][c+1]),
          .valid_in(valid[r][c]),
          .valid_out(valid[r][c+1]),
          .wgt_swap_in(swap[r][c]),
          .wgt_swap_out(swap[r][c+1]),
          .wgt_shift_in(shift[r][c]),
          .wgt_shift_out(shift[r][c+1]),
          .wgt_in(wgt[r][c]),
          .wgt_out(wgt[r+1][c]),
          .psum_in(psum[r][c]),
          .psum_out(psum[r+1][c])
      );
    end
  end
endmodule

`default_nettype wire
