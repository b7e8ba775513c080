// Limits of daemon/attachments, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Largest plan, state or schemas document read by `tofud show`: ten times the plan of 20,000
/// resources.
inline constexpr std::size_t plan_document_bytes = 1 * gib;

/// A Provider Code Specification, which is read as a whole: generated ones of large APIs have some
/// megabytes. (Documents of `providers schema` have a hundred, and are read in pieces.)
inline constexpr std::size_t specification_bytes = 64 * mib;

/// A plan as it is kept with a run, masked and without what nobody reads: of 20,000 resources it
/// has some forty megabytes.
inline constexpr std::size_t attached_plan_bytes = 128 * mib;

/// The schemas of a plan's types, and the places of a configuration's blocks, as they are kept.
inline constexpr std::size_t attached_schemas_bytes = 32 * mib;
inline constexpr std::size_t attached_config_bytes = 32 * mib;

/// Files of a directory of schemas: each is a provider's, and nobody uses two hundred.
inline constexpr std::size_t schema_files = 256;

/// Schemas kept for the next run, by lock file: those of a large provider have five megabytes
/// compressed.
inline constexpr std::uint64_t kept_schemas_bytes = 256 * mib;

/// One file of OpenTofu's language: people write some kilobytes, programs some mebibytes of JSON.
inline constexpr std::size_t module_file_bytes = 16 * mib;

/// Files of one module's directory, and all files and bytes of a configuration: the largest public
/// ones have a few thousand files.
inline constexpr std::size_t module_files = 1000;
inline constexpr std::size_t configuration_files = 10'000;
inline constexpr std::size_t configuration_bytes = 64 * mib;

}  // namespace tofud::limits
