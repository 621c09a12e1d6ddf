import { BridgeError } from '../app/contract/errors.ts';
import { portHolder } from '../app/programs/port-holder.ts';
import { UsageError, usage } from './options.ts';
import type { Plan } from './run-bridge.ts';

/** One clear line for the operator; a stack only for what nobody foresaw. */
export async function explainStart(error: unknown, plan: Plan | undefined): Promise<string> {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof BridgeError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error && typeof error.port === 'number' ? error.port : (plan?.port ?? 0);
    const option = port === plan?.consolePort ? '--console-port' : '--port';
    return `Port ${port} is in use by ${(await portHolder(port)) ?? 'another program'}. End it, or start the till with ${option} N.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
