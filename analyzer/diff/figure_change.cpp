#include "analyzer/diff/figure_change.h"

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

Change change_of(const FigureChange& figure, Better better) {
  const auto difference = figure.difference();
  if (!difference) return Change::unclear;
  if (!figure.chance) {
    // If all values are equal, the sides do not differ, even if there are few repeats.
    const bool equal = figure.before->least == figure.after->least &&
                       figure.before->most == figure.after->most &&
                       figure.before->least == figure.before->most;
    return equal ? Change::same : Change::unclear;
  }
  if (*figure.chance > assumed::chance || *difference == 0) return Change::same;
  if (better == Better::neither) return Change::different;
  return (*difference > 0) == (better == Better::more) ? Change::better : Change::worse;
}

}  // namespace

std::string_view name_of(Change change) {
  constexpr std::string_view names[] = {"unclear", "same", "better", "worse", "different"};
  static_assert(std::size(names) == static_cast<std::size_t>(Change::different) + 1);
  return names[static_cast<std::size_t>(change)];
}

std::optional<double> FigureChange::difference() const {
  if (!before || !after) return std::nullopt;
  return after->median - before->median;
}

FigureChange figure_change(const std::vector<double>& before, const std::vector<double>& after,
                           Better better) {
  FigureChange figure;
  if (!before.empty()) figure.before = repeats_of(before);
  if (!after.empty()) figure.after = repeats_of(after);
  figure.chance = chance_of_difference(before, after);
  figure.change = change_of(figure, better);
  return figure;
}

}  // namespace lapscope::analyzer
