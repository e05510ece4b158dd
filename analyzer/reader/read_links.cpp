#include "analyzer/reader/read_links.h"

#include <optional>
#include <set>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::LinkRow;

// The different rates of the links of one device, by what is at their other ends.
struct Rates {
  std::set<std::int64_t> pcie;
  std::set<std::int64_t> nvlink_to_host;
  std::set<std::int64_t> nvlink_to_peers;
};

std::optional<std::int64_t> only_one(const std::set<std::int64_t>& rates) {
  if (rates.size() != 1) return std::nullopt;
  return *rates.begin();
}

}  // namespace

std::map<std::int64_t, LinkRates> read_links(
    schema::Database& database, const std::map<std::string, std::int64_t>& id_of_uuid) {
  std::map<std::int64_t, LinkRates> links;
  if (!database.has_table(schema::describe<LinkRow>.name)) return links;
  using Columns = schema::Selection<LinkRow, &LinkRow::kind, &LinkRow::gpuId, &LinkRow::uuid,
                                    &LinkRow::peerUuid, &LinkRow::bytesPerSecond>;
  const auto id_of = [&](const std::string& uuid) -> std::optional<std::int64_t> {
    const auto known = id_of_uuid.find(uuid);
    if (known == id_of_uuid.end()) return std::nullopt;
    return known->second;
  };
  std::map<std::int64_t, Rates> rates;
  schema::Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const LinkRow row = Columns::read(rows);
    if (!row.bytesPerSecond || *row.bytesPerSecond <= 0) continue;
    auto device = id_of(row.uuid);
    if (!device) device = row.gpuId;
    if (row.kind == "pcie" && device) {
      rates[*device].pcie.insert(*row.bytesPerSecond);
    } else if (row.kind == "nvlink" && !row.peerUuid && device) {
      rates[*device].nvlink_to_host.insert(*row.bytesPerSecond);
    } else if (row.kind == "nvlink" && row.peerUuid) {
      // One row stands for both ends.
      if (device) rates[*device].nvlink_to_peers.insert(*row.bytesPerSecond);
      if (const auto peer = id_of(*row.peerUuid)) {
        rates[*peer].nvlink_to_peers.insert(*row.bytesPerSecond);
      }
    }
  }
  for (const auto& [device, of_device] : rates) {
    // Where an NVLink leads to the host, copies take it and not PCI Express.
    links[device] = {
        only_one(of_device.nvlink_to_host.empty() ? of_device.pcie : of_device.nvlink_to_host),
        only_one(of_device.nvlink_to_peers)};
  }
  return links;
}

}  // namespace lapscope::analyzer
