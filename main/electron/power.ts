import { powerMonitor } from 'electron';
import type { Bridge } from '../../app/create-bridge.ts';
import type { QuitGate } from './quit-gate.ts';

/** The machine's sleep and end, told to the till. */
export function watchPower(bridge: Pick<Bridge, 'asleep' | 'awake'>, gate: Pick<QuitGate, 'quitNow'>): void {
  powerMonitor.on('suspend', () => bridge.asleep());
  powerMonitor.on('resume', () => void bridge.awake());
  powerMonitor.on('shutdown', () => gate.quitNow());
}
