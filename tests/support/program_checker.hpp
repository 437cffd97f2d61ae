#pragma once

#include "sim/mapping/mapper.hpp"
#include "tests/support/event_order.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace systole::test {

/// Runs a Mapping without time and without numbers: every byte knows of which tensor it is, every
/// sum which products it is made of. It finds
/// - products that are missing, done twice or made of other elements than they should be,
/// - results that are missing or written twice,
/// - accesses that the waits alone do not keep in order, and deadlocks,
/// - addresses and tiles beyond what the chip has.
/// It shares nothing with the mapper but the Program and the Placements.
class ProgramChecker {
public:
    /// `seed` chooses one of the orders that the waits allow.
    ProgramChecker(const Graph& graph, const models::ChipConfig& chip, const Mapping& mapping,
                   std::uint64_t seed);

    /// The faults found, at most a few; empty when the mapping is right.
    [[nodiscard]] std::vector<std::string> run();

    /// Bytes over the pins of main memory, as the Loads and Stores of the programs have them.
    struct Traffic {
        std::int64_t input = 0;
        std::int64_t weights = 0;
        std::int64_t output = 0;
    };
    [[nodiscard]] const std::vector<Traffic>& traffic() const { return traffic_; }

private:
    /// Byte `offset` of a tensor; tensor −1: nothing.
    struct Tag {
        TensorId tensor = -1;
        std::int64_t offset = 0;
        bool operator==(const Tag&) const = default;
    };
    struct Byte {
        Tag tag;
        Guard guard;
    };
    /// A sum in the accumulators.
    struct Sum {
        std::int64_t m = -1;
        std::int64_t n = -1;
        std::int64_t products = 0;
        std::uint64_t hash = 0;  ///< of the rows of the weight matrix that took part
        Guard guard;
    };
    /// Elements of an operand: nothing where the array has a zero.
    using Rows = std::vector<std::vector<std::optional<Tag>>>;
    struct Stationary {
        models::Operand operand;
        Rows rows;
    };
    struct Core {
        std::vector<Byte> scratchpad;
        std::vector<Sum> sums;
        std::optional<Stationary> shadow;
        std::optional<Stationary> active;
        std::array<std::size_t, models::queue_count> next{};
    };
    /// An instruction while it runs.
    struct Step {
        int core = 0;
        const models::Instruction* instruction = nullptr;
        const Operator* op = nullptr;
        const models::ConvView* view = nullptr;
        Clock start;
        Event by;    ///< the end of its accesses to the scratchpad and the memories
        Event sums;  ///< the end of its accesses to the accumulators
    };

    void fault(const Step& step, const std::string& what);
    void expect(bool condition, const Step& step, const std::string& what);
    [[nodiscard]] bool ready(const models::Instruction& instruction) const;
    void run_head(int core, models::Queue queue);
    void execute(Step& step, const models::Load& load);
    void execute(Step& step, const models::Preload& preload);
    void execute(Step& step, const models::Stream& stream);
    void execute(Step& step, const models::Vector& vector);
    void execute(Step& step, const models::Store& store);
    void check_at_end();

    Byte& scratchpad(const Step& step, std::int64_t address);
    Byte& memory(const Step& step, models::Address address);
    Sum& sum(const Step& step, std::int64_t row, std::int64_t col);
    Tag read(const Step& step, Byte& byte);
    void write(const Step& step, Byte& byte, const Tag& tag);
    /// The element at a scratchpad address, whose bytes must all be there.
    Tag element(const Step& step, std::int64_t address, Format format);

    [[nodiscard]] Rows rows_of(const Step& step, const models::Operand& operand);
    [[nodiscard]] std::optional<Tag> image_element(const Step& step, const models::Operand& operand,
                                                   std::int64_t i, std::int64_t k);
    [[nodiscard]] std::optional<Tag> weight_element(const Step& step,
                                                    const models::Operand& operand, std::int64_t i,
                                                    std::int64_t k);
    /// The element of the layer's input that row `row` of the weights meets for output (m, n);
    /// nothing when it is outside of the image.
    [[nodiscard]] std::optional<std::int64_t> partner(const Operator& op, std::int64_t m,
                                                      std::int64_t n, std::int64_t row) const;
    void multiply(Step& step, const models::Stream& stream, const models::Operand& image,
                  const Rows& pixels, const Rows& filters);
    std::int64_t add_products(Step& step, Sum& sum, std::int64_t m, const Rows::value_type& pixels,
                              const Rows::value_type& filter);
    void check_limits(const Step& step, const models::Stream& stream, const models::Operand& north);
    /// The element of the output that source element (i, j) is for.
    std::int64_t source_element(Step& step, const models::Vector& vector, std::int64_t i,
                                std::int64_t j);
    std::int64_t pooled(Step& step, const models::Vector& vector, std::int64_t i, std::int64_t j);
    std::int64_t finished(Step& step, Sum& sum);
    void check_steps(Step& step, const models::Vector& vector, std::int64_t i, std::int64_t j,
                     std::int64_t result);

    const Graph& graph_;
    const models::ChipConfig& chip_;
    const Mapping& mapping_;
    std::mt19937_64 random_;
    EventOrder order_;
    std::vector<Core> cores_;
    std::vector<Byte> dram_;
    std::vector<Byte> shared_;
    std::vector<std::vector<int>> computed_;  ///< per tensor and element: how often
    std::vector<std::vector<int>> stored_;
    std::vector<Traffic> traffic_;
    std::vector<std::string> faults_;
    std::int64_t rows_ = 0;  ///< of the array, 0 for a simt unit
    std::int64_t cols_ = 0;
    std::int64_t accumulators_ = 0;
    std::optional<models::Dataflow> dataflow_;
};

}  // namespace systole::test
