/**
 * What one message meets on its way. LOST: the line breaks before it arrives. CUT_AFTER: it arrives, and the line breaks behind it. SWALLOWED: it
 * never arrives, and nobody is told. LATE: its sender's line breaks, and it arrives after the sender has tried again. DOUBLED: it arrives twice.
 * TRUNCATED: half of it arrives, and the line breaks.
 */
export type Fault = 'LOST' | 'CUT_AFTER' | 'SWALLOWED' | 'LATE' | 'DOUBLED' | 'TRUNCATED';

/** A message of a flow: what it says, the hop that it takes, and how many of its kind have come before it on that hop. */
export interface HopMessage {
  readonly hop: string;
  readonly label: string;
  readonly occurrence: number;
  /** What can befall it. */
  readonly faults: readonly Fault[];
}

/** The one message of a run that is disturbed. */
export interface Disturbance extends Pick<HopMessage, 'hop' | 'label' | 'occurrence'> {
  readonly fault: Fault;
}

/** Notes the messages of all hops of one shop, and says which of them is disturbed. */
export interface Wires {
  /** A new run begins: its messages are counted anew. */
  begin(disturbance?: Disturbance): void;
  /** A message has come. @returns what befalls it; undefined: it passes */
  pass(hop: string, label: string, faults: readonly Fault[]): Fault | undefined;
  /** The messages since the run began, in the order in which they came. */
  messages(): readonly HopMessage[];
  /** Whether the message that was to be disturbed has come. */
  hasMet(): boolean;
}

export function createWires(): Wires {
  let seen: HopMessage[] = [];
  let armed: Disturbance | undefined;
  let isMet = false;
  return {
    begin(disturbance) {
      seen = [];
      armed = disturbance;
      isMet = false;
    },
    pass(hop, label, faults) {
      const occurrence = seen.filter((message) => message.hop === hop && message.label === label).length;
      seen.push({ hop, label, occurrence, faults });
      if (armed === undefined || isMet) return undefined;
      if (armed.hop !== hop || armed.label !== label || armed.occurrence !== occurrence) return undefined;
      isMet = true;
      return armed.fault;
    },
    messages: () => seen,
    hasMet: () => isMet,
  };
}
