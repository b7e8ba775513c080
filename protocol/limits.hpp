// Every limit on what comes from outside: a name, a number and the reason for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;
inline constexpr std::size_t gib = 1024 * mib;

// ---- the stream ---------------------------------------------------------------------------

/// Longest line read as a line. `outputs` and state dumps have no bound of their own (a recorded
/// `outputs` line has 4.3 MB); beyond this a line is counted, reported and skipped to its end.
inline constexpr std::size_t line_bytes = 64 * mib;

/// Deepest JSON nesting of a line. OpenTofu's values rarely pass 20; the parser recurses, and this
/// many levels stay far inside a thread's stack even under the address sanitizer.
inline constexpr std::size_t json_depth = 1000;

/// Most JSON values kept of one line. A diagnostic has under a hundred; outputs are kept as text.
inline constexpr std::size_t json_nodes = 1'000'000;

/// Runs told apart in one stream. A script that loops prints a handful; more would only cost
/// memory.
inline constexpr std::size_t runs_per_stream = 1000;

/// Rows kept of one run: five times the largest state anyone has written about in public.
inline constexpr std::size_t rows_per_run = 1'000'000;

/// Of one resource: planned actions, steps together with their provisioners, and diagnostics that
/// name it. OpenTofu has a few for the current object and for each deposed one. All of them are
/// looked through for each line about the resource, and written each time its row goes out.
inline constexpr std::size_t parts_of_resource = 256;

// ---- what is drawn ------------------------------------------------------------------------

/// Longest line of a diagnostic. OpenTofu reads its own text in lines before it draws the rule
/// beside them, and prints nothing more from a line on that is as long as this.
inline constexpr std::size_t drawn_line_bytes = 64 * kib;

/// Longest difference between two values that is drawn, and most elements of a list or lines of a
/// text in it: finding what two lists have in common takes the product of their lengths.
inline constexpr std::size_t difference_bytes = 256 * kib;
inline constexpr std::size_t difference_elements = 2000;

/// Pairs of elements (or lines) that are compared to find what two long lists have in common: a
/// table of 32 MiB, for lists of 4,000 elements. What longer ones share at both ends is still
/// found; between, everything is removed and added.
inline constexpr std::size_t compared_pairs = 16 * mib;

/// What one document of a plan may take to draw, on a thread of its own: a hundred of the longest
/// lists above. Beyond it the answer is an error.
inline constexpr std::chrono::seconds drawing_time{20};
/// Drawn answers that are kept, since every viewer of a run asks for the same ones.
inline constexpr std::size_t drawn_answers = 64;
inline constexpr std::size_t drawn_answers_bytes = 64 * mib;

// ---- plans and states ------------------------------------------------------------------------

/// Largest plan, state or schemas document read by `tofud show`: ten times the plan of 20,000
/// resources.
inline constexpr std::size_t plan_document_bytes = 1 * gib;

/// What is drawn of JSON in one string of a plan. Deep nesting makes much of little: each level
/// indents all that is in it.
inline constexpr std::size_t json_text_bytes = 64 * mib;

/// Of the tree of one resource's change as rows: children of one value, bytes of one text, values
/// in all, and levels, of which a real provider's types have ten. The page asks again for what is
/// beyond, by its path.
inline constexpr std::size_t diff_children = 200;
inline constexpr std::size_t diff_text_bytes = 4 * kib;
inline constexpr std::size_t diff_values = 2000;
inline constexpr std::size_t diff_depth = 100;

/// Names of attributes told of one resource in the compact form: more than fit a line of a log.
inline constexpr std::size_t compact_names = 12;

// ---- what providers say of their types -----------------------------------------------------

/// A Provider Code Specification, which is read as a whole: generated ones of large APIs have some
/// megabytes. (Documents of `providers schema` have a hundred, and are read in pieces.)
inline constexpr std::size_t specification_bytes = 64 * mib;

/// One type's schema as JSON. The largest known, dashboards of nested definitions, have a tenth.
inline constexpr std::size_t schema_bytes = 32 * mib;

/// All schemas kept of one document, as JSON: a plan has some hundred types of some ten kilobytes.
inline constexpr std::size_t schemas_bytes = 128 * mib;

/// Names of providers, types and attributes: OpenTofu shows them in one line.
inline constexpr std::size_t schema_name_bytes = 1 * kib;

/// Types listed of one document; the largest provider has some three thousand.
inline constexpr std::size_t schema_types = 100'000;

/// Mistakes told of one document: who sees so many looks at how it was made.
inline constexpr std::size_t schema_findings = 1000;

// ---- the keeper and its spool -------------------------------------------------------------

/// What the kernel lets an unprivileged process ask of a pipe (/proc/sys/fs/pipe-max-size).
inline constexpr std::size_t pipe_bytes = 1 * mib;

/// Between the thread that drains stdin and the one that writes the spool: about a second of the
/// fastest stream seen, so that a disk may pause that long.
inline constexpr std::size_t ring_bytes = 64 * mib;

/// A run that prints more is no run; a full disk would hurt the apply.
inline constexpr std::uint64_t spool_bytes = 4 * gib;

/// A spool in memory only, when no place on disk is writable.
inline constexpr std::uint64_t memory_spool_bytes = 256 * mib;

/// Newest bytes kept in memory in any case, so that the status can still be inferred after storing
/// had to stop: the end of a stream (diagnostics, summary, outputs) fits.
inline constexpr std::size_t tail_bytes = 1 * mib;

/// Storing stops when less than the smaller of these is free: the disk is the apply's, not ours.
inline constexpr std::uint64_t free_bytes = 512 * mib;
inline constexpr unsigned free_percent = 5;

/// A worker that dies more often has a bug that one more start won't cure.
inline constexpr int worker_restarts = 3;

/// A worker that folded nothing for this long after the end of the stream counts as dead.
inline constexpr std::chrono::seconds worker_stall{10};

/// Finished spools are kept at least a day, at most thirty, and the newest two gigabytes of them.
inline constexpr std::chrono::hours spool_min_age{24};
inline constexpr std::chrono::hours spool_max_age{30 * 24};
inline constexpr std::uint64_t spools_total_bytes = 2 * gib;

/// A keeper locks its spool right after making it; even a machine that swaps does so in this time.
inline constexpr std::chrono::seconds spool_settles{10};

/// Runs that `tofud ls` lists without --all: two screens, and a day of a busy person.
inline constexpr std::size_t listed_runs = 50;

/// Bytes of spools that `tofud ls` folds without --all: some seconds. Runs beyond are listed by
/// name.
inline constexpr std::uint64_t listed_bytes = 1 * gib;

/// The worker reads the spool in pieces of this size, so that sockets get their turn between them.
inline constexpr std::size_t read_bytes = 256 * kib;

/// Text of rows is kept in blocks: some hundred addresses each.
inline constexpr std::size_t arena_block_bytes = 64 * kib;

// ---- a wrapped command ---------------------------------------------------------------------

/// A signal sent to tofud alone is passed on to tofu after this long, unless the stream shows that
/// tofu has it already: OpenTofu prints its answer within milliseconds, and CI systems give 7.5 s.
inline constexpr std::chrono::milliseconds forward_after{500};

/// A plan that stands still this long waits for somebody's approval.
inline constexpr std::chrono::seconds approval_shown_after{2};

/// The page's address is printed before tofu's own text if the worker has it by then.
inline constexpr std::chrono::milliseconds first_line_wait{300};

/// `tofu version` takes a tenth of a second; a program that says nothing for so long is followed by
/// nobody, and starts anyway.
inline constexpr std::chrono::milliseconds version_wait{5'000};
inline constexpr std::size_t version_bytes = 64 * kib;

/// Largest plan file that is hashed, which takes a tenth of a second: those of a hundred thousand
/// resources have less.
inline constexpr std::uint64_t plan_file_bytes = 64 * mib;

/// Largest that an apply waits for before it starts, some ten milliseconds; a larger one is hashed
/// beside it.
inline constexpr std::uint64_t plan_file_first_bytes = 8 * mib;

/// Files that say where a command runs: git's config, the backend's settings, a process's
/// environment. Real ones have a few kilobytes.
inline constexpr std::size_t described_bytes = 1 * mib;

// ---- what may leave the machine -------------------------------------------------------------

/// Shortest value that is looked for: "1", "true" or "prod" under a name like a secret's would tear
/// every address apart. Real passwords of five characters are guessed, not leaked.
inline constexpr std::size_t secret_bytes = 6;

/// Shortest line of a value of several lines that is looked for alone: what a program prints comes
/// line by line, and lines such as "}" or "EOF" stand in everything.
inline constexpr std::size_t secret_line_bytes = 8;

/// A file of values to mask, and what is read of a key's file. Each byte of it costs some hundreds
/// of memory as long as a stream is redacted.
inline constexpr std::size_t mask_file_bytes = 256 * kib;

/// Of a label that a CI system's variables give: its URLs have two hundred characters. A longer one
/// is left out, since half a URL leads nowhere.
inline constexpr std::size_t label_bytes = 1 * kib;

// ---- what is exported ----------------------------------------------------------------------
/// GitHub takes comments and pull request texts of 65,536 characters; the rest is the reader's own.
inline constexpr std::size_t markdown_bytes = 60'000;
/// Of that, for errors: they come first, but the table is to have room.
inline constexpr std::size_t markdown_error_bytes = 30'000;
/// Of one diagnostic's text and of one address in Markdown: what people read of it.
inline constexpr std::size_t markdown_text_bytes = 4'000;
inline constexpr std::size_t markdown_word_bytes = 300;
/// Characters of a comment with a plan's changes. One below what GitHub takes (65,536).
inline constexpr std::size_t markdown_plan_characters = 65'535;
/// Of that, one resource's: the others are to have room.
inline constexpr std::size_t markdown_change_bytes = 8'000;
/// Objects that `recover` lists; a run holds no more resources than that.
inline constexpr std::size_t recovered_objects = 1'000'000;
/// Of a file of state: one of fifty thousand resources has some hundred megabytes.
inline constexpr std::size_t state_file_bytes = 1 * gib;

// ---- the feed -----------------------------------------------------------------------------

/// Largest row on the wire; longer ones are cut and say so. Half a frame, so that a frame holds
/// one.
inline constexpr std::size_t row_bytes = 32 * kib;

/// Largest WebSocket message: fits a send buffer, and a viewer gets control back often.
inline constexpr std::size_t frame_bytes = 60 * kib;

/// Lines (log, text) kept in memory per run, encoded; older ones are read from the spool. And those
/// of all runs of a daemon: of a thousand that print much, each keeps its newest.
inline constexpr std::size_t lines_bytes = 64 * mib;
inline constexpr std::size_t all_lines_bytes = 1 * gib;

/// Rows looked at in one turn of the loop, about a millisecond of work.
inline constexpr std::size_t rows_per_turn = 4096;

/// Heartbeat line when nothing else was sent: below the 30 s after which proxies cut idle streams.
inline constexpr std::chrono::milliseconds heartbeat{15'000};

/// Longest coalescing tick, reached at several hundred subscribers; no eye sees 25 ms.
inline constexpr std::chrono::milliseconds tick_max{25};

/// Bytes the kernel may hold for one subscriber. Its default hides 2.8 MB of stale rows.
inline constexpr int send_buffer_bytes = 128 * 1024;
inline constexpr int unsent_bytes = 64 * 1024;

// ---- connections --------------------------------------------------------------------------

/// One process may hold 20,000 descriptors in reserve of the usual hard limit; a wall needs tens.
inline constexpr std::size_t connections = 12'000;

/// Of one address, or one IPv6 network of 64 bits, which is what one customer has: a browser opens
/// six and a wall has some pages; an office behind one address has dozens. Not of this machine:
/// its processes were let in by name, and a proxy here speaks for everybody.
inline constexpr std::size_t connections_per_address = 64;

/// Connections beyond the limit that are still taken, for uploads and for questions whether the
/// daemon is well: viewers must never be the reason why a run is not recorded.
inline constexpr std::size_t connections_in_reserve = 64;

/// Share of the connections above, as a divisor, for clients that have not shown who they are: they
/// only ask whether the daemon is well, or log in. When it is used up, the one goes that came first
/// of those that ask nothing.
inline constexpr std::size_t stranger_connections_share = 8;

/// Requests of a connection whose client has not shown who it is, in a second: a probe asks once,
/// the login page takes six. Those beyond wait.
inline constexpr unsigned stranger_requests_per_second = 50;

/// Descriptors that no connection gets: journals of some dozen runs, the index, files being read.
/// No more than a quarter of those that there are.
inline constexpr std::size_t descriptors_in_reserve = 1024;

/// Certificates with their chain, and bundles of authorities: a system's has 200 KiB.
inline constexpr std::size_t tls_file_bytes = 1 * mib;

/// Who renews certificates by hand needs a week or two, and reads a log once a day.
inline constexpr std::chrono::hours certificate_soon_over{14 * 24};
inline constexpr std::chrono::hours certificate_warned_every{24};

/// A request head is a URL with filters, browser headers and cookies.
inline constexpr std::size_t header_bytes = 16 * kib;
inline constexpr std::chrono::seconds header_time{5};

/// Empty lines before a request, which RFC 9112, 2.2 tells a server to ignore: old clients sent one
/// behind a body.
inline constexpr std::size_t blank_lines = 8;

/// Answers under way that hold much of a run or plan for one client each. More are told to come
/// again, since every one takes up to a hundred megabytes.
inline constexpr std::size_t large_reads = 8;
inline constexpr std::chrono::seconds large_read_again{2};

/// What stands behind a chunked body. Nobody sends any, and it means nothing here.
inline constexpr std::size_t trailer_bytes = 16 * kib;

/// The kernel asks a silent peer after this many seconds, then this often and so many times: a
/// stream whose machine is gone is over within two minutes.
inline constexpr int keep_alive_idle_s = 60, keep_alive_every_s = 20, keep_alive_tries = 3;

/// A body of which nothing comes for so long belongs to a client that is gone.
inline constexpr std::chrono::milliseconds body_stalled_after{30'000};

/// All of a body that is to be small: at 8 kB/s a mebibyte has come. Who trickles would else hold a
/// connection, and a run, for as long as it likes.
inline constexpr std::chrono::milliseconds body_time{120'000};

/// Read of a body at once: a system call costs little beside it, and it fits a cache.
inline constexpr std::size_t body_read_bytes = 64 * kib;

/// Read of one body before other connections get their turn: some hundred microseconds.
inline constexpr std::size_t body_turn_bytes = 512 * kib;

/// Of a refused body, read and forgotten so that the client sees the answer before the close: all
/// of an upload's largest piece, and what the sockets on both sides hold.
inline constexpr std::size_t discarded_bytes = 4 * mib;

/// Letters of a request's method, by which a request is told from a raw stream. The longest
/// registered one has 17.
inline constexpr std::size_t method_bytes = 20;

/// What the lines that frame a chunked body may have beyond 16 bytes and twice the content of each
/// chunk. Extensions mean nothing to anybody; one byte a chunk is what streams send at worst.
inline constexpr std::size_t chunk_overhead_bytes = 16 * kib;

/// What a subscriber may send: control frames and a close. Anything longer is closed with 1009.
inline constexpr std::size_t client_message_bytes = 4 * kib;

/// Frames that a subscriber sends in a second, all of them pings and pongs: one in ten seconds is
/// usual. Each costs an answer.
inline constexpr std::uint32_t client_frames_per_second = 50;

/// Ping after this long without a byte read, close after `missed_pings` unanswered ones.
inline constexpr std::chrono::seconds ping_after{20};
inline constexpr int missed_pings = 2;

/// A socket that took nothing for this long is dead or stopped; it costs a cursor, or one answer,
/// so it is given the time of a laptop that sleeps and of a network that is plugged in again.
inline constexpr std::chrono::seconds stalled_after{60};

/// After the end of the stream subscribers get what is left, at most this long.
inline constexpr std::chrono::seconds goodbye{2};

/// When one tofud hands its viewers to the next, they come back within this long: the next one has
/// the port in a tenth of a second.
inline constexpr std::chrono::milliseconds handover_spread{500};

/// When a daemon restarts its viewers come back within this long, not all at once.
inline constexpr std::chrono::milliseconds restart_spread{3'000};

/// Runs that have ended stay on the page of another tofud for so long, so that who watched them
/// sees the end.
inline constexpr std::chrono::minutes ended_served{10};

/// Filter values in one request; a page needs a few.
inline constexpr std::size_t filter_values = 64;

// ---- what is attached to a run --------------------------------------------------------------

/// A plan as it is kept with a run, masked and without what nobody reads: of 20,000 resources it
/// has some forty megabytes.
inline constexpr std::size_t attached_plan_bytes = 128 * mib;

/// The schemas of a plan's types, and the places of a configuration's blocks, as they are kept.
inline constexpr std::size_t attached_schemas_bytes = 32 * mib;
inline constexpr std::size_t attached_config_bytes = 32 * mib;

/// Files of a directory of schemas: each is a provider's, and nobody uses two hundred.
inline constexpr std::size_t schema_files = 256;

/// Values of a plan that schemas call sensitive, to be hidden wherever they are printed: shorter
/// ones are words that stand in any text, and more of them make every line slow.
inline constexpr std::size_t hidden_value_bytes = 6;
inline constexpr std::size_t hidden_values = 10'000;

/// Of what people write of a block in its configuration: a name or a URL.
inline constexpr std::size_t annotation_value_bytes = 1 * kib;
/// Nobody expects one resource to take a month.
inline constexpr std::chrono::hours expected_longest{31 * 24};

/// Of what schemas know of an attribute that failed: descriptions are paragraphs, some whole pages.
inline constexpr std::size_t card_text_bytes = 2 * kib;
inline constexpr std::size_t card_validators = 16;

/// Of a block of a generated file, drawn around a fault: what is far from the fault gives way.
inline constexpr std::size_t generated_block_lines = 60;
inline constexpr std::size_t generated_line_bytes = 200;

/// Body of a PUT, compressed or not: gzip makes a tenth of a plan.
inline constexpr std::uint64_t attachment_body_bytes = 32 * mib;

/// Attachments that wait for the one thread of a daemon that reads them; senders come again.
inline constexpr std::size_t attachments_waiting = 8;

/// `tofu show -json` and `tofu providers schema -json` start providers and ask a backend: seconds,
/// a minute on a busy machine. Nobody waits for them but the drawer of a page.
inline constexpr std::chrono::seconds attachment_wait{180};

/// A run that is over waits so long for what is to be attached to it: who typed the command waits,
/// too.
inline constexpr std::chrono::seconds attachment_farewell{2};

/// Schemas kept for the next run, by lock file: those of a large provider have five megabytes
/// compressed.
inline constexpr std::uint64_t kept_schemas_bytes = 256 * mib;

// ---- what is sent to a daemon --------------------------------------------------------------

/// Bytes of one PATCH: large enough that its fsync and its answer cost nothing beside it, small
/// enough to be sent again.
inline constexpr std::size_t patch_bytes = 1 * mib;

/// A run's description and one event: a stack, labels, a few words.
inline constexpr std::size_t described_run_bytes = 64 * kib;

/// Labels of a run; of a label that somebody gives, of an id and of other short words.
inline constexpr std::size_t labels = 64;
inline constexpr std::size_t given_word_bytes = 1 * kib;
inline constexpr std::size_t stack_bytes = 4 * kib;

/// Events of a run: labels, plan files, the exit. A person gives some, a loop gone wild more.
inline constexpr std::size_t events_per_run = 1000;

/// Runs that go on at a time: each has a fold in memory.
inline constexpr std::size_t live_runs = 1000;
/// Of these, of one sender, so that a loop gone wild does not take the room of all others: what a
/// matrix of CI jobs starts at once.
inline constexpr std::size_t live_runs_per_address = 50;
/// New runs of one token or user: as many as a large matrix of CI jobs starts at once, and then one
/// a second. More would push the runs of others out of what is kept.
inline constexpr std::size_t new_runs_at_once = 500;
inline constexpr std::chrono::seconds new_run_every{1};
/// A sender may wish for the id of a run. It begins with a minute, which is taken if it is not
/// further than this ahead of now: clocks of runners are off by a time zone, not by years.
inline constexpr std::chrono::hours wished_id_apart{24};
/// What a forwarder is told to wait when there are too many.
inline constexpr std::chrono::seconds retry_after{10};

/// Two forwarders of one run: the second waits for the first so long.
inline constexpr std::chrono::seconds busy_wait{5};
/// A body that stands still so long is given up; its forwarder comes again.
inline constexpr std::chrono::seconds patch_stalled_after{15};

/// A forwarder with nothing to send says so every so often.
inline constexpr std::chrono::seconds keep_alive{15};

// ---- the configuration of a daemon ---------------------------------------------------------

/// A configuration file: all options with their explanations have a tenth of this.
inline constexpr std::size_t config_bytes = 64 * kib;

/// Files in conf.d: a machine's roles have a few.
inline constexpr std::size_t config_files = 100;

/// Full stops in one line: each may open a table in the one before, and the library that reads them
/// goes as deep as they are. A line of fifty addresses has two hundred.
inline constexpr std::size_t config_line_stops = 256;

/// Lines of a file that may be no TOML before the rest of it is left unread: who sees so many looks
/// at the file again in any case.
inline constexpr int config_broken_lines = 20;

/// Values of one list: hosts, networks, groups.
inline constexpr std::size_t config_list_values = 1000;

/// A run is kept no longer than a hundred years; dates beyond don't fit the clock's nanoseconds.
inline constexpr std::uint64_t retained_days_longest = 36'500;

/// Times that somebody may set: below a second networks far away and busy disks are cut off, beyond
/// a week it is a mistake of the unit.
inline constexpr std::chrono::seconds config_time_shortest{1};
inline constexpr std::chrono::hours config_time_longest{7 * 24};

/// Connections that somebody may set; there are never more than descriptors.
inline constexpr std::size_t connections_most = 1'000'000;

/// Runs that go on: each has up to three files open, of the 65,536 that a service usually has.
inline constexpr std::size_t live_runs_most = 10'000;

/// Of logs and texts in memory: some thousand lines, and what a machine has.
inline constexpr std::size_t lines_bytes_least = 1 * mib;
inline constexpr std::size_t lines_bytes_most = 16 * gib;

/// Heads: request lines of 8,000 bytes are to be taken everywhere (RFC 9112, 3); proxies pass on
/// some ten thousand, and each connection may hold as much in memory.
inline constexpr std::size_t header_bytes_least = 8 * kib;
inline constexpr std::size_t header_bytes_most = 256 * kib;

/// What a subscriber sends: a control frame has 125 bytes (RFC 6455, 5.5), a frame of ours 60 KiB.
inline constexpr std::size_t client_message_bytes_least = 125;
inline constexpr std::size_t client_message_bytes_most = 64 * kib;

// ---- what OpenTofu is told to make ---------------------------------------------------------

/// One file of OpenTofu's language: people write some kilobytes, programs some mebibytes of JSON.
inline constexpr std::size_t module_file_bytes = 16 * mib;

/// Files of one module's directory, and all files and bytes of a configuration: the largest public
/// ones have a few thousand files.
inline constexpr std::size_t module_files = 1000;
inline constexpr std::size_t configuration_files = 10'000;
inline constexpr std::size_t configuration_bytes = 64 * mib;

/// Calls of modules, one below the other and all together: a module that calls itself would go on
/// for ever.
inline constexpr std::size_t module_depth = 50;
inline constexpr std::size_t module_calls = 10'000;

/// Blocks in blocks of a native file, and templates in expressions in templates: what people write
/// has less than ten. The reader of blocks recurses.
inline constexpr std::size_t module_nesting = 200;

/// What is told of a configuration that can't be read; the others are counted.
inline constexpr std::size_t module_problems = 100;

// ---- what a daemon keeps -------------------------------------------------------------------

/// Finished runs in memory, and how long one stays there that nobody looks at.
inline constexpr std::size_t loaded_runs = 32;
inline constexpr std::chrono::minutes unloaded_after{5};

/// Memory of all runs that are loaded, rows without lines: half of what the service may take
/// (MemoryMax=4G in tofud.service). Beyond it idle runs are unloaded, then new ones are refused.
inline constexpr std::size_t loaded_bytes = 1536 * mib;

/// Longest text kept in memory of a diagnostic, an output or a message. No row holds more; the
/// journal has all of it.
inline constexpr std::size_t kept_text_bytes = 64 * kib;

/// A piece of a stream that takes longer to fold is written to the log: a second of a daemon that
/// serves nobody else.
inline constexpr std::chrono::milliseconds slow_fold{1'000};
/// A run that was being folded when the daemon died so often is not folded at its start any more.
inline constexpr unsigned fold_deaths = 2;

/// How often it is looked for runs that were kept long enough.
inline constexpr std::chrono::minutes retain_every{10};

/// Finished runs that are kept, where nobody says otherwise: a quarter of a year, and what a small
/// disk has room for.
inline constexpr std::chrono::hours retained_age{90 * 24};
inline constexpr std::uint64_t retained_runs = 10'000;
inline constexpr std::uint64_t retained_bytes = 20 * gib;

/// Newest runs of every stack that retention by number or bytes removes last of all.
inline constexpr std::size_t retained_of_a_stack = 5;
/// In the first look after a start nothing is removed for its age if more than this part of all
/// runs, in percent, would go: the clock of a machine that just booted may be wrong.
inline constexpr std::size_t retained_jump_percent = 10;

/// Finished runs on the wall: some weeks of a busy team. The others are found by searching.
inline constexpr std::size_t wall_runs = 500;
// ---- what the runs of a stack mean together ------------------------------------------------

/// A forwarder with nothing to send says so every 15 s; four of those missed, and nobody is there.
inline constexpr std::chrono::seconds no_contact_after{60};

/// A runner that is gone for so long does not come back by itself; a resume undoes it in any case.
inline constexpr std::chrono::minutes contact_lost_after{15};

/// A run that is over and whose lines all came so much later than they were printed was kept and
/// sent later; a clock that is so wrong would long have broken TLS and tokens.
inline constexpr std::chrono::minutes late_upload{15};

/// A card looks at so many of the newest runs of its stack, each kind apart. Nobody waits for a
/// plan or mourns a failure with a hundred runs after it, and a change costs no more than this.
inline constexpr std::size_t runs_of_a_card = 100;

/// Stamps of one machine that are compared: a lock is dated by a library, a line by another.
inline constexpr std::chrono::seconds stamps_apart{1};

/// Of one field of a lock's description; real ones are names, paths and identifiers.
inline constexpr std::size_t lock_field_bytes = 512;

/// The plain wall asks for itself again so often: without a script there is no other way to be new,
/// and a page of a hundred cards costs a millisecond.
inline constexpr std::chrono::duration<unsigned> plain_refresh{10};

// ---- who may ask a daemon ------------------------------------------------------------------

/// Of the file of tokens that is read: a line has some three hundred bytes, so thousands fit.
inline constexpr std::size_t token_file_bytes = 4 * mib;

/// A token that goes with what was opened by it; the file is looked at this often, which is a
/// stat(2).
inline constexpr std::chrono::milliseconds tokens_looked_at_every{500};

/// Of a token's name, and of what a proxy says of a user: mail addresses have at most 254 bytes.
inline constexpr std::size_t user_bytes = 256;

/// Browsers that are logged in. The oldest goes; who had it logs in again.
inline constexpr std::size_t sessions = 1000;
/// A working week with its weekend: a wall on a screen should not ask for a token every morning.
inline constexpr std::chrono::hours session_age{7 * 24};

/// Links that were asked for and not opened yet.
inline constexpr std::size_t login_links = 100;
/// From `tofud open` to a browser that has started, or to a message that somebody reads.
inline constexpr std::chrono::minutes login_link_age{5};

/// For so long a browser remembers that a page of another server may ask, and does not ask whether
/// it may before each request; an origin that is taken off the list is refused all the same.
inline constexpr std::chrono::seconds preflight_age{600};

/// What logs in: a token or a ticket, and a path to go on to.
inline constexpr std::size_t login_bytes = 16 * kib;

// ---- a daemon asked by a command -----------------------------------------------------------

/// For a connection, and between two pieces of an answer: a daemon that reads a large run from disk
/// takes a second, and who asked is waiting at a terminal.
inline constexpr std::chrono::milliseconds remote_wait{15'000};

/// Longest answer but for streams: a list of a thousand runs with long labels.
inline constexpr std::size_t remote_answer_bytes = 64 * mib;

/// A daemon that is started again is back within this long; who follows a run there waits for it.
inline constexpr std::chrono::seconds remote_absence{60};
inline constexpr std::chrono::milliseconds remote_again{500};

// ---- the report ---------------------------------------------------------------------------

/// Rows and lines in a report, before `<` is written longer: forty thousand resources with their
/// logs, and a browser still reads it in a second or two.
inline constexpr std::size_t report_bytes = 32 * mib;

// ---- the journal --------------------------------------------------------------------------

/// Of header.json that is read: labels of a CI job and a stack have a few kilobytes.
inline constexpr std::size_t journal_header_bytes = 256 * kib;

/// A finished stream is compressed in slices of this size on the thread that also brings new bytes
/// to disk: a slice takes some five milliseconds, about as long as a disk takes to answer.
inline constexpr std::size_t journal_slice_bytes = 256 * kib;

/// Files that are brought to disk at the same time. The kernel answers them with one flush of the
/// disk; measured with 200 files, more than eight gain nothing.
inline constexpr std::size_t journal_syncs = 8;

/// Runs of one answer of the index: a page of a list, and some hundred kilobytes of JSON.
inline constexpr std::size_t listed_views = 500;

/// Statements of SQLite that are kept prepared: the index has some twenty, and a list has as many
/// shapes as it has filters.
inline constexpr std::size_t prepared_statements = 32;

/// A compressed stream is a chain of gzip members, each of so much of the stream: whoever reads
/// from the middle unpacks at most one for nothing, some four milliseconds.
inline constexpr std::uint64_t gzip_member_bytes = 1 * mib;

/// Operations written to the history at once: some five milliseconds, while bytes wait.
inline constexpr std::size_t history_piece = 500;

/// Operations whose durations are remembered, about 1 GiB: fifty applies of 100,000 resources.
inline constexpr std::uint64_t history_operations = 5'000'000;

// ---- the terminal -------------------------------------------------------------------------

/// Text waiting for a terminal that takes none; beyond it whole lines are left out and counted.
inline constexpr std::size_t terminal_queue_bytes = 4 * mib;

/// Of the newest line of a provisioner, and of an address, kept for the live block: more than any
/// terminal is wide.
inline constexpr std::size_t shown_line_bytes = 1 * kib;

/// Finished resources told one by one in a second of the stream, on a terminal. Those beyond it are
/// counted: nobody reads faster, and a scrollback has a few thousand lines.
inline constexpr std::size_t told_per_second = 20;

/// Between two frames on a terminal: ten a second look smooth and cost nothing.
inline constexpr std::chrono::milliseconds frame_every{100};

/// How often a plain log says how far refreshing and planning are. A job that prints nothing for
/// minutes gets killed by some CI systems, one that prints a line per resource floods its log.
inline constexpr std::chrono::seconds count_every{10};

/// GitHub shows ten errors and ten warnings of a step and drops the others.
inline constexpr std::size_t annotations = 10;

/// Text of an annotation. GitHub shows it in a box beside the code; the log has all of it.
inline constexpr std::size_t annotation_bytes = 4 * kib;

/// GitHub takes no larger step summary and shows nothing at all of one that is.
inline constexpr std::size_t step_summary_bytes = 1 * mib;

// ---- sending to a daemon --------------------------------------------------------------------

/// From the beginning of one PATCH to that of the next: what gathers meanwhile goes as one, and no
/// eye sees it.
inline constexpr std::chrono::milliseconds patch_every{25};

/// A daemon may ask to hear from its forwarders at most so seldom; else a lost one shows too late.
inline constexpr std::chrono::seconds keep_alive_longest{60};

/// Between two tries: a random time up to the first, doubled with each failure up to the longest,
/// so that a thousand forwarders of a daemon that comes back do not all come at once.
inline constexpr std::chrono::milliseconds retry_first{500};
inline constexpr std::chrono::milliseconds retry_longest{30'000};

/// `Retry-After` beyond this is a mistake: nobody plans an outage of runs for longer.
inline constexpr std::chrono::seconds retry_after_longest{3600};

/// A daemon of this machine takes a connection at once or is not well.
inline constexpr std::chrono::milliseconds connect_wait{5'000};

/// From a request's first byte to the answer's last: a disk that syncs a mebibyte slowly, and the
/// five seconds that a second PATCH waits for the first.
inline constexpr std::chrono::milliseconds answer_wait{30'000};

/// Answers are a line of JSON.
inline constexpr std::size_t answer_bytes = 64 * kib;

/// Of the redacted stream in memory: what is under way, and what gathers meanwhile.
inline constexpr std::size_t upload_window_bytes = 2 * mib;

/// A forwarder that goes back redacts at most so much again before it is where it was; it remembers
/// a place per this many bytes.
inline constexpr std::size_t upload_place_every = 1 * mib;

/// Files beside a spool: a mask file holds an environment's secrets, certificates among them.
inline constexpr std::size_t beside_bytes = 16 * mib;

/// A worker that begins waits so long for a daemon to take its run: then it knows whether it serves
/// the page itself.
inline constexpr std::chrono::milliseconds daemon_wait{1'000};

/// After the end of the stream the rest is sent, at most this long; a daemon that never answered
/// gets less. Whoever waits for tofu waits for this, too.
inline constexpr std::chrono::milliseconds farewell{10'000};
inline constexpr std::chrono::milliseconds farewell_unanswered{1'000};

/// The name that a daemon gives a run, and what of its sentences is passed on to people.
inline constexpr std::size_t run_name_bytes = 128;
inline constexpr std::size_t told_message_bytes = 300;

// ---- what the daemon says of itself --------------------------------------------------------

/// Lines of one kind in the log, in so long a time: enough to see what goes wrong, too few to fill
/// a disk or a journal when a thousand clients meet the same fault.
inline constexpr std::uint64_t log_lines = 20;
inline constexpr std::chrono::seconds log_window{10};
/// Longest text of a line. A pipe takes this much in one piece or not at all.
inline constexpr std::size_t log_line_bytes = 2 * kib;
/// Standard error that takes nothing for so long costs the line, not the loop.
inline constexpr std::chrono::milliseconds log_patience{100};

}  // namespace tofud::limits
