import { BridgeError } from '../contract/errors.ts';
import { simulationRule } from '../contract/simulation-rules.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import type { Engine } from './engine.ts';
import type { Lane, Work } from './lane.ts';
import type { AttachedTerminal } from './till-deps.ts';

/** What the sandbox is to play for a request: what to arm, and how the answer names it. */
export interface TrainingRule {
  readonly arm: string;
  readonly simulatedRule: string;
}

/**
 * The sandbox rule that a request meets at a training till; undefined where none applies (decisions section 6).
 * @throws BridgeError INVALID_REQUEST for a metadata.simulate that names no rule
 */
export function trainingRuleOf(attached: AttachedTerminal, request: TransactionRequest): TrainingRule | undefined {
  if (attached.training === undefined) return undefined;
  // The amount of a void is that of its original, whose own ending has had its effect.
  const amount = request.type === 'VOID' ? 0 : request.amount;
  const rule = simulationRule({ amount, metadata: request.metadata });
  switch (rule.kind) {
    case 'APPROVE':
      return undefined;
    case 'DECLINE':
      if (!/^\d\d$/.test(rule.issuerCode)) {
        throw new BridgeError('INVALID_REQUEST', 'metadata.simulate: this terminal plays answers of two digits only', {
          field: 'metadata.simulate',
        });
      }
      return { arm: `decline-${rule.issuerCode}`, simulatedRule: rule.rule };
    case 'FAULT':
      return { arm: rule.fault, simulatedRule: rule.rule };
  }
}

/** Arms the virtual terminal for this work. @throws BridgeError TERMINAL_NOT_READY when its control interface does not answer: nothing was sent */
export async function armTraining(lane: Lane, work: Work, rule: TrainingRule | undefined): Promise<void> {
  if (rule === undefined) return;
  // From the attempt on: an answer that is lost may have armed it.
  work.isArmed = true;
  try {
    await lane.attached.training?.arm(rule.arm);
  } catch (cause) {
    throw new BridgeError('TERMINAL_NOT_READY', 'the virtual terminal could not be told what to play', { cause });
  }
}

/** Takes the rule of a payment back that never started: the next one would meet it. Ends before the terminal is free again; never throws. */
export async function disarmTraining(engine: Engine, lane: Lane, work: Work): Promise<void> {
  try {
    await lane.attached.training?.disarm();
  } catch (error) {
    engine.deps.log.warn('A sandbox rule of a payment that never started could not be taken back.', {
      transactionId: work.id,
      terminalId: lane.terminalId,
      reason: String(error),
    });
  }
}
