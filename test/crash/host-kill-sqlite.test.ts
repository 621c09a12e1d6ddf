import { hostKillBattery } from './host-kill-battery.ts';

hostKillBattery('SQLite', async () => undefined);
