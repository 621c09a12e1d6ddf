import { ECR17_RULES } from '../../drivers/virtual/rules.ts';
import { ecr17Kind } from './ecr17-bench.ts';
import { describeTill } from './till-battery.ts';

// Another amount than was asked for stands at this terminal, whatever the till does: only a person can settle that (ecr17-tcp.test.ts sees it unknown).
const rules = ECR17_RULES.filter((rule) => rule !== 'wrong-amount');

// Receipts of the terminal's own: each part that goes to the till would be a scenario of every fault (ecr17-tcp.test.ts tries them).
describeTill({ ...ecr17Kind('TCP', { receipts: 'TERMINAL' }), rules });
