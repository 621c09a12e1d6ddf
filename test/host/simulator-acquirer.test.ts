import { describeAcquirer } from './acquirer-battery.ts';
import { openSimulatorBench } from './support/simulator-bench.ts';

describeAcquirer('the simulator', openSimulatorBench);
