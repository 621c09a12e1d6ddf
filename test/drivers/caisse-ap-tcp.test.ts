import { describeDriver } from './battery.ts';
import { caisseApKind } from './caisse-ap-bench.ts';

describeDriver(caisseApKind());
