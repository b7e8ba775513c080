// Made of ../client.ts by .ci/page --write; part of tofud, Mozilla Public License 2.0.
/** Any line, also of a kind that is not known here: with a `key` it is a row as any, without one it is skipped. */
export interface Line {
    kind: string;
}
/** The first line of every connection. */
export interface Hello extends Line {
    kind: 'hello';
    /** Version of the feed, MAJOR.MINOR. Another major version is another path. */
    protocol: string;
    /** Program and version. */
    server: string;
    /** Commit that it was built of, or `-`. */
    build: string;
    /** `wall`, or `run/ID`. */
    topic: string;
    /** Positions of another epoch mean nothing. */
    epoch: string;
    /** A line comes at least so often; stale after 2.5 times that. Milliseconds. */
    heartbeat_ms: number;
    /** A token or a session let us in, and may end before we go (4410). */
    login?: true;
    /** What the other daemons have is not known here now, for this reason. Not there: it is, or there are none. */
    not_current?: string;
}
/** The position asked for can't be resumed: drop what you hold, all of it follows. */
export interface Reset extends Line {
    kind: 'reset';
    /** Another epoch; beyond what there is; before a removal that is forgotten; no position at all. */
    reason: 'epoch' | 'head' | 'removed' | 'since';
}
/** Ends a flush: everything up to `seq` has come. */
export interface At extends Line {
    kind: 'at';
    /** The position to resume from. */
    seq: number;
    /** The first of a connection: from here on it is the present. */
    live?: true;
}
/** Lines (`log`, `text`) that are no longer in memory. */
export interface Gap extends Line {
    kind: 'gap';
    /** The first of them. */
    from: number;
    /** The last of them. */
    to: number;
    /** Path that has them. */
    href: string;
}
/** On the wall: forget a row. */
export interface Removed extends Line {
    kind: 'removed';
    /** Kind of the row. */
    of: 'run' | 'stack';
    key: string;
    seq: number;
}
/** Nothing else was sent for `heartbeat_ms`, or `not_current` has changed. */
export interface Heartbeat extends Line {
    kind: 'heartbeat';
    /** By the clock of tofud. */
    now: string;
    /** The position to resume from. */
    at: number;
    /** As in `hello`. What it says changes with a heartbeat only. */
    not_current?: string;
}
/** The connection is closed next, for this reason. */
export interface FeedError extends Line {
    kind: 'error';
    /** The close code of WebSocket. */
    code: number;
    message: string;
}

/** A line of this version of the feed; its `kind` says which. */
export type KnownLine = Hello | Reset | At | Gap | Removed | Heartbeat | FeedError | Run | Forecast | Stack | Resource | Diagnostic | Output | Message | TestFile | TestRun | Log | Text;
/** The rows and views that a client holds, by kind. */
export interface RowOf {
    run: Run;
    forecast: Forecast;
    stack: Stack;
    resource: Resource;
    diagnostic: Diagnostic;
    output: Output;
    message: Message;
    test_file: TestFile;
    test_run: TestRun;
}
/** What has a key: rows, lines (`log`, `text`) and views. It replaces the one of the same kind and key. */
export interface Row extends Line {
    /** Unique within the kind. Any text, also `__proto__` or none. */
    key: string;
    /** Id of the run; on a `stack` of its newest one. */
    run: string;
    /** Number of the change within the topic. Views have none. */
    seq?: number;
}
/** A row that may be as long as what is in it. */
export interface Cuttable extends Row {
    /** The row is above 32 KiB, and cut. */
    truncated?: true;
    /** Length of the whole row, as JSON. */
    bytes?: number;
    /** Path of the whole row, resolved against the address that was asked. */
    href?: string;
}
/** `lost`: the stream ended without telling how. `unknown`: it had no message of OpenTofu's at all. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'interrupted' | 'lost' | 'unknown';
export type RunCommand = 'other' | 'plan' | 'apply' | 'destroy' | 'refresh' | 'test' | 'init' | 'import';
/** `approval`: it waits for somebody to say yes. */
export type RunPhase = 'plan' | 'apply' | 'approval';
/** When its sender was last heard of: within a minute, within a quarter of an hour, or not. */
export type Contact = 'ok' | 'none' | 'lost';
/** Resources, as a summary of OpenTofu counts them. */
export interface Counts {
    add: number;
    change: number;
    import: number;
    remove: number;
    forget: number;
}
/** A run as a whole. A view in the feed of a run, a row (with `seq`) on the wall. */
export interface Run extends Row {
    kind: 'run';
    command: RunCommand;
    status: RunStatus;
    phase: RunPhase;
    /** As printed; what was not printed is not there. */
    versions: {
        tofu?: string;
        terraform?: string;
        /** Of the stream. */
        ui?: string;
    };
    /** What people called it, by name. */
    labels: {
        [name: string]: string;
    };
    /** What an identity provider says of whoever sent the run, verified by the daemon; what was not said is left out. Left out: nobody has verified it. */
    verified?: {
        issuer: string;
        /** As the issuer names the job or the user. */
        subject: string;
        repository?: string;
        ref?: string;
        actor?: string;
    };
    /** Resources by status; those of which there are none are left out. */
    counts: {
        [name: string]: number;
    };
    /** Resources that are created, updated, deleted or replaced. */
    progress: {
        done: number;
        total: number;
    };
    /** Null: no summary of a plan has come. */
    planned: Counts | null;
    /** Null: no summary of an apply has come. */
    applied: Counts | null;
    diagnostics: {
        error: number;
        warning: number;
    };
    /** By the clock of its machine. */
    started_at: string | null;
    ended_at: string | null;
    last_line_at: string | null;
    /** Of the command. Null: it is not over, or nobody told us. */
    exit_status: number | null;
    /** What the stream had, in lines. */
    lines: {
        /** UI messages. */
        messages: number;
        /** Lines that were no UI message. */
        text: number;
        /** Lines of provisioners. */
        log: number;
        /** Ends of what had not begun. */
        unmatched: number;
        /** UI messages that lack what their type must have. */
        malformed: number;
    };
    /** Null: unknown. */
    stack: string | null;
    /** Summary of `tofu test`. Null: none has come. */
    tests: {
        passed: number;
        failed: number;
        errored: number;
        skipped: number;
    } | null;
    /** Two commands wrote into one stream. */
    interleaved: boolean;
    /** What is attached to the run; left out if nothing is. */
    attachments?: ('plan' | 'schemas' | 'config')[];
    /** Of runs that somebody sends. */
    contact?: Contact;
    /** Of runs that somebody sends: seconds to be added to their times. Null: unknown. */
    clock_offset_s?: number | null;
    /** Of runs that somebody sends: when the daemon first heard of it, by its own clock. */
    created_at?: string;
    /** Of runs that somebody sends and that go on, as of when this was sent. The view `forecast` of the run has more. */
    estimate?: ExpectedEnd;
    /** What failed first; left out if nothing did. */
    failure?: {
        /** Null: it is of no resource. */
        addr: string | null;
        /** Why, in a line: the first line of its error; of a provisioner how it ended and the last line that it printed. Null: nobody has said why yet. */
        summary: string | null;
    };
    /** The failure that keeps most resources from beginning, and how many; left out if none does, or nobody knows. */
    strands?: {
        addr: string;
        count: number;
    };
    /** Why the run is kept and can't be shown, and what to do, a sentence; left out if it can be. */
    unreadable?: string;
}
/** What is expected of an address that owes something, whose key is the address; or of the run, whose key is its id. A view, sent to runs that go on, where a history knows. */
export interface Forecast extends Row {
    kind: 'forecast';
    /** How long it usually takes, by action. */
    usual: {
        [name: string]: Usual;
    };
    /** Of the run: when it is over, and what holds the end back. */
    estimate?: Estimate;
}
/** When a run is expected to be over. */
export interface ExpectedEnd {
    /** The moment, by the stream's clock, that seconds count from. */
    at: string;
    /** Seconds until its last operation ends, in half of all cases. Null: it takes longer than usual. */
    p50_s: number | null;
    /** The same in four fifths of all cases. */
    p80_s: number | null;
    /** All that runs has taken longer than it usually does. */
    overrun: boolean;
}
export interface Estimate extends ExpectedEnd {
    /** Unfinished operations, each before the next, that take longest together. */
    critical_path: ExpectedOperation[];
    /** So many more are on it. */
    critical_path_more?: number;
    /** What runs, that with the least slack first; 20 at most. */
    running: ExpectedOperation[];
    /** Operations that may run at once, as far as it is known. */
    slots: number;
    /** Of them those that nothing uses, since all that is owed waits for something. 0: something waits for a slot. */
    idle_slots: number;
    /** Seconds that the end would be sooner without that limit. */
    saved_by_slots_s: number;
}
export interface ExpectedOperation {
    addr: string;
    action: StepAction;
    /** Seconds that it may take longer before the end moves. */
    slack_s: number;
}
export interface Usual {
    /** Seconds that half of them took at most. */
    p50_s: number;
    /** Seconds that four fifths of them took at most. */
    p80_s: number;
    /** Of the operations that say so, at most 20. */
    count: number;
    /** Whose they are: of the same stack and address, of the same stack and type, or of that type in any stack. */
    rung: 'address' | 'stack' | 'anywhere';
    /** Of the newest of this address some failed and some did not. */
    flaky: boolean;
}
/** On the wall, the card of a stack: what its runs mean together. */
export interface Stack extends Row {
    kind: 'stack';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    /** The whole name. */
    stack: string;
    /** What is shown of it. */
    name: string;
    /** Of its newest run, as all that follows down to `phase`. */
    status: RunStatus;
    command: RunCommand;
    phase: RunPhase;
    /** What its runs that are over come to. Null: none is over yet. */
    outcome: Outcome | null;
    /** The change that a plan and its apply are. */
    change: Change | null;
    /** Null: nobody sends the run. */
    contact: Contact | null;
    /** The lock that a run ran into. */
    lock: Lock | null;
    /** What was changed outside of OpenTofu. */
    drift: Drift | null;
    /** By the clock of the run's machine; so are the others. */
    last_line_at: string | null;
    started_at: string | null;
    ended_at: string | null;
    /** Seconds to be added to its times. Null: unknown. */
    clock_offset_s: number | null;
}
export interface Outcome {
    run: string;
    status: RunStatus;
    command: RunCommand;
    ended_at: string | null;
    /** The newest run whose failure a later success made up for. */
    superseded: string | null;
    /** How many such failures are remembered. */
    superseded_runs: number;
}
export interface Change {
    /** `planned` waits for nobody, `waiting` for its apply. */
    state: 'planned' | 'waiting' | 'applying' | 'applied' | 'failed' | 'outdated';
    plan_run: string | null;
    apply_run: string | null;
    /** By what the two were found to be one: hash of the plan file, commit. Null: they were not. */
    linked: 'hash' | 'commit' | null;
}
/** What somebody changed outside of OpenTofu, and nothing has put right since. */
export interface Drift {
    /** The newest that found it. */
    run: string;
    /** When it was found first, by the clock of the daemon. */
    since: string | null;
    /** How many that run named. 0: its plan has changes, though the configuration has none. */
    resources: number;
}
/** As OpenTofu described it. */
export interface Lock {
    /** Whom it stopped. */
    run: string;
    /** Its holder goes on, ended without giving it back, has given it back since, or is not known here. */
    state: 'held' | 'abandoned' | 'released' | 'somebody else';
    /** A run. Null: somebody else. */
    holder: string | null;
    id: string | null;
    path: string | null;
    operation: string | null;
    who: string | null;
    version: string | null;
    /** By the clock of its holder. */
    created_at: string | null;
}
/** `skipped`: planned, but not reached. `unchanged`: nothing is to be done to it. */
export type ResourceStatus = 'planned' | 'running' | 'done' | 'failed' | 'interrupted' | 'skipped' | 'drifted' | 'unchanged';
export type StepStatus = 'running' | 'done' | 'failed' | 'interrupted';
export type StepAction = 'refresh' | 'read' | 'create' | 'update' | 'delete' | 'open' | 'renew' | 'close';
/** All that is known of one address: what is planned, what was done to it so far. */
export interface Resource extends Cuttable {
    kind: 'resource';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    /** The address, also the key. */
    addr: string;
    /** Empty: the root module. */
    module: string;
    /** `managed`, `data`, `ephemeral`. */
    mode: string;
    type: string;
    name: string;
    /** Instance key. Its digits may be more than a double has. */
    index: string | number | null;
    /** The one that the type implies. */
    provider: string;
    /** Which of the run's resources it was to appear, from 1: an order that is the same for everybody. */
    first: number;
    /** Usually one; more when deposed objects are left over. */
    plan: Planned[];
    /** What was done to it elsewhere, in OpenTofu's word. Null: nothing. */
    drift: string | null;
    status: ResourceStatus;
    /** Action of the newest step that runs. */
    activity: StepAction | null;
    /** From the oldest. */
    steps: Step[];
    /** So many finished steps are left out of a row that is cut. */
    steps_omitted?: number;
    /** What the provider calls it, and the attribute that says so. */
    id: {
        key: string;
        value: string;
    } | null;
    /** Keys of `diagnostic` rows that name it, as numbers, ascending. */
    diagnostics: number[];
    /** Addresses that have to be done before it begins; `aws_x.a[*]` is more than five of one block. Empty: it waits for a slot. Absent: not known, or it does not wait. */
    waiting_for?: string[];
    /** So many more than are named; where none is, about how many. */
    waiting_for_more?: number;
    /** Addresses that failed, which is why it was not begun. Absent: none, or not known. */
    behind?: string[];
    /** So many more than are named. */
    behind_more?: number;
    /** Of one that failed: how many resources are behind it. Absent: not known, or it did not fail. */
    strands?: number;
    /** Null: unknown. */
    source: Source | null;
    /** The stream did not say so itself. */
    inferred: boolean;
}
export interface Planned {
    /** OpenTofu's word: `create`, `replace`, `noop` and others. */
    action: string;
    /** OpenTofu's word. */
    reason?: string;
    /** Where it was moved from. */
    previous_addr?: string;
    /** Key of the deposed object. From an attached plan, as all below. */
    deposed?: string;
    /** Beside what else is done. */
    imports?: true;
    /** Of a replace. Also from an attached configuration. */
    create_before_destroy?: true;
}
/** One thing that was done to it. */
export interface Step {
    /** From 1 within the resource. */
    n: number;
    phase: 'plan' | 'apply';
    action: StepAction;
    status: StepStatus;
    /** The stream did not say so itself. */
    inferred?: true;
    started_at?: string;
    ended_at?: string;
    /** Seconds, once it is over. */
    elapsed?: number;
    /** What the provider calls it, as printed. */
    id?: string;
    provisioners?: Provisioner[];
    /** Provisioners that its configuration has for it; the one with `n` runs as the n-th. */
    declared?: number;
}
export interface Provisioner {
    /** From 1, in order of their start. */
    n: number;
    /** `local-exec`, `remote-exec`, `file`. */
    name: string;
    status: StepStatus;
    /** The stream did not say so itself. */
    inferred?: true;
    /** Of its output, so far. */
    lines: number;
    started_at?: string;
    ended_at?: string;
}
/** The block of the configuration, and what people wrote of it there. */
export interface Source {
    file: string;
    line: number;
    owner?: string;
    runbook?: string;
    /** How long what is done to it takes, in seconds. */
    expect_s?: number;
}
/** An error or a warning. */
export interface Diagnostic extends Cuttable {
    kind: 'diagnostic';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    /** OpenTofu's word: `error`, `warning`. */
    severity: string;
    summary: string;
    detail: string;
    /** Of the resource. */
    address: string | null;
    range: Range | null;
    snippet: Snippet | null;
    attribute: Attribute | null;
    test_file: string | null;
    test_run: string | null;
    at: string | null;
}
export interface Range {
    filename: string;
    start: Position;
    end: Position;
}
/** In a file, as OpenTofu counts: lines and columns from 1, bytes from 0. */
export interface Position {
    line: number;
    column: number;
    byte: number;
}
/** Whole lines of the source around a fault. */
export interface Snippet {
    /** The block that it stands in. */
    context?: string;
    code: string;
    start_line: number;
    /** Bytes of `code` in UTF-8. */
    highlight_start_offset: number;
    /** Bytes of `code` in UTF-8. */
    highlight_end_offset: number;
    /** What was in the expression. */
    values: {
        traversal: string;
        statement: string;
    }[];
    /** As OpenTofu printed it. */
    function_call?: unknown;
    /** Of a JSON file in one line: where in it; `code` is then the block around it, pretty-printed. */
    path?: string;
}
/** What schemas know of the attribute or block that a diagnostic names. */
export interface Attribute {
    /** Of the resource. */
    type: string;
    /** Names from its body on. */
    path: string;
    /** As OpenTofu writes it. Absent: a block. */
    value_type?: string;
    required?: true;
    sensitive?: true;
    description?: string;
    deprecated?: string;
    /** Any value. */
    default?: unknown;
    /** Go code of the specification. */
    validators?: string[];
    /** Whether another value means another resource. */
    replacement?: 'certain' | 'possible';
}
/** An output value of the root module. */
export interface Output extends Cuttable {
    kind: 'output';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    name: string;
    sensitive: boolean;
    /** OpenTofu's word. Null: unknown. */
    action: string | null;
    /** As OpenTofu writes types in JSON: text, or an array. Null: unknown, or too long. */
    type: unknown;
    /** Any value, its numbers with the digits they were printed with. Absent when sensitive, unknown or too long. */
    value?: unknown;
    deprecated: string | null;
    /** Null: not told yet. */
    applied: boolean | null;
}
/** What the stream said that is nothing else; also what is wrong with the stream itself. */
export interface Message extends Cuttable {
    kind: 'message';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    /** OpenTofu's word: `info`, `warn`, `error`. */
    level: string | null;
    /** OpenTofu's word. Null: the message had none. */
    type: string | null;
    text: string;
    at: string | null;
}
/** A file of `tofu test`. */
export interface TestFile extends Row {
    kind: 'test_file';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    path: string;
    /** OpenTofu's word: `pending`, `running`, `pass`, `fail`, `error`, `skip`. */
    status: string;
}
/** A `run` block of a file of `tofu test`. */
export interface TestRun extends Row {
    kind: 'test_run';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    path: string;
    name: string;
    /** As of a `test_file`. */
    status: string;
}
/** One line of a provisioner's output. Never changes. */
export interface Log extends Cuttable {
    kind: 'log';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    addr: string;
    /** `n` of the step; 0: none was open. */
    step: number;
    /** `n` of the provisioner; 0: none was open. */
    provisioner: number;
    /** From 1 within the provisioner. */
    n: number;
    at: string | null;
    /** Without the newline; may have control characters. */
    text: string;
}
/** One line that was no UI message. Never changes. */
export interface Text extends Cuttable {
    kind: 'text';
    /** Number of the change within the topic. Views have none. */
    seq: number;
    /** From 1 within the run. */
    n: number;
    /** Without the newline; may have control characters. */
    text: string;
}

export type Rows = {
    [key: string]: Row;
};
export type State = {
    [kind: string]: Rows;
};
/** Reviver of JSON.parse: a number keeps its digits where the platform can (JSON.rawJSON); 12345678901234567890 is no double. */
export declare const digits: (_key: string, value: unknown, json?: {
    source: string;
}) => unknown;
/** Folds the lines of connections to one topic, one connection after another. */
export declare class Fold {
    /** Rows and views. Lines (`log`, `text`) are not kept: there may be millions. */
    state: State;
    hello: Hello | null;
    /** The last position; null: none yet. */
    at: number | null;
    /** An `at` came since `hello`: the state is that of the present. */
    live: boolean;
    /** Why tofud does not know now what other daemons have; '': it does. */
    not_current: string;
    /** How often everything held was dropped. */
    generation: number;
    rows<Kind extends keyof RowOf>(kind: Kind): {
        [key: string]: RowOf[Kind];
    };
    rows(kind: string): Rows;
    /** `EPOCH:SEQ` to resume from, if there is one. */
    since(): string | null;
    /** Takes one line in and returns it parsed. Throws if it is no JSON object. */
    take(text: string): Line;
    private clear;
}

/** How things stand between us and tofud. */
export type Link = {
    is: 'connecting';
} | {
    is: 'catching up';
}
/** `not_current`: what other daemons have is not known there now, for this reason. */
 | {
    is: 'live';
    not_current?: string;
}
/** Nothing heard for 2.5 heartbeats; `since` as Date.now() gives it. */
 | {
    is: 'stale';
    since: number;
}
/**
 * The connection is lost; what is held is the last known state. Tries again at `retry_at`. With a `reason`, what let us in
 * is over: it is no use before somebody has logged in again.
 */
 | {
    is: 'offline';
    retry_at: number;
    reason?: string;
}
/** tofud closed as it should; there is nothing to come back to. */
 | {
    is: 'over';
    reason: string;
}
/** tofud will not have this request; asking again unchanged is no use. */
 | {
    is: 'refused';
    code: number;
    message: string;
};
/** What to ask for; see "Asking" in protocol/feed/README.md. */
export interface Question {
    run?: string;
    kinds?: string[];
    addr?: string[];
    module?: string[];
    type?: string[];
}
export interface Handlers {
    /** One flush has been folded; these are its lines. `line as KnownLine` tells them apart by `kind`. */
    lines?(lines: Line[]): void;
    link?(link: Link): void;
}
/** The part of a WebSocket that is used here. */
export interface Socket {
    onmessage: ((event: {
        data: unknown;
    }) => void) | null;
    onclose: ((event: {
        code: number;
        reason: string;
    }) => void) | null;
    close(): void;
}
/** The world outside, so that tests have one of their own. */
export interface World {
    now(): number;
    random(): number;
    /** Returns what undoes it. */
    after(ms: number, then: () => void): () => void;
    every(ms: number, then: () => void): () => void;
    /** Calls when a lost connection is worth another try at once. */
    awake(then: () => void): () => void;
    socket(url: string, protocol: string): Socket;
}
export declare const first_wait_ms = 500;
export declare const longest_wait_ms = 30000;
/** A connection that lived so long has earned a quick return. */
export declare const healthy_ms = 30000;
/** In heartbeats: when silence counts as stale, and when as a connection that nobody holds any more. */
export declare const stale_after = 2.5;
export declare const dead_after = 10;
export declare class Feed {
    private readonly url;
    private readonly question;
    private readonly handlers;
    private readonly world;
    readonly fold: Fold;
    link: Link;
    /** When something was last heard, as Date.now() gives it; null: never. */
    heard: number | null;
    private socket;
    private failures;
    private live_since;
    private error;
    private undo;
    private give_up_waiting;
    /** `url` is that of `/v1/stream`, http or ws. Nothing happens before `open`. */
    constructor(url: string, question: Question, handlers: Handlers, world?: World);
    open(): void;
    /** Ends it for good; no handler is called any more. */
    close(): void;
    /** Tries at once what would be tried later: the network is back, somebody looks again. */
    wake(): void;
    private connect;
    /** The same question each time, with the place to resume from. */
    private address;
    private take;
    private understands;
    private closed;
    /** Waits as long as told, else ever longer, by chance so that a thousand pages do not come at once. */
    private lost;
    private look_at_the_clock;
    private now_is;
    private drop;
    private end;
}
/** The world as a browser has it; Node has all but the events. */
export declare const browser: World;
