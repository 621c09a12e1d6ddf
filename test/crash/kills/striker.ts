import { join } from 'node:path';
import type { PairedShop } from '../../support/paired-shop.ts';
import type { WireHooks } from '../../support/wire-proxy.ts';
import { watchCommits, watchWrites } from '../watch-commits.ts';
import type { Kill, Line } from './moments.ts';

/** A kill that waits for its moment. */
interface ArmedKill {
  /** Resolves when its victims are gone. */
  readonly struck: Promise<'STRUCK'>;
  isStruck(): boolean;
  /** Its moment never came. */
  disarm(): void;
}

/** Counts messages and commits from outside of the programs, and kills at the one that was named. */
export interface Striker {
  hooksOf(line: Line): WireHooks;
  arm(shop: PairedShop, kill: Kill): ArmedKill;
}

interface Armed {
  readonly kill: Kill;
  left: number;
  strike(): Promise<void>;
}

export function createStriker(): Striker {
  let armed: Armed | undefined;

  async function met(line: Line, kind: 'BEFORE_MESSAGE' | 'AFTER_MESSAGE'): Promise<void> {
    const moment = armed?.kill.moment;
    if (armed === undefined || moment?.kind !== kind || moment.line !== line) return;
    armed.left -= 1;
    if (armed.left === 0) await armed.strike();
  }

  return {
    hooksOf: (line) => ({ before: () => met(line, 'BEFORE_MESSAGE'), after: () => met(line, 'AFTER_MESSAGE') }),
    arm(shop, kill) {
      const { moment, victims } = kill;
      let isStruck = false;
      let unwatch = (): void => undefined;
      const disarm = () => {
        armed = undefined;
        unwatch();
      };
      const struck = new Promise<'STRUCK'>((resolve) => {
        const strike = async () => {
          if (isStruck) return;
          isStruck = true;
          disarm();
          await Promise.all(victims.map((side) => shop.kill(side)));
          resolve('STRUCK');
        };
        armed = { kill, left: moment.count, strike };
        const reached = () => void strike();
        if (moment.kind !== 'AFTER_COMMIT') return;
        if (moment.of === 'TILL') unwatch = watchCommits(shop.tillDir, moment.count, reached);
        else unwatch = watchWrites(join(shop.hostDir, 'host.db-wal'), moment.count, reached);
      });
      return { struck, isStruck: () => isStruck, disarm };
    },
  };
}
