import { BridgeError } from '../contract/errors.ts';
import { simulationRule } from '../contract/simulation-rules.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
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
      return { arm: `decline-${rule.issuerCode}`, simulatedRule: rule.rule };
    case 'FAULT':
      return { arm: rule.fault, simulatedRule: rule.rule };
  }
}

/** Arms the virtual terminal. @throws BridgeError TERMINAL_NOT_READY when its control interface does not answer: nothing was sent */
export async function armTraining(attached: AttachedTerminal, rule: TrainingRule | undefined): Promise<void> {
  if (rule === undefined) return;
  try {
    await attached.training?.arm(rule.arm);
  } catch (cause) {
    throw new BridgeError('TERMINAL_NOT_READY', 'the virtual terminal could not be told what to play', { cause });
  }
}
