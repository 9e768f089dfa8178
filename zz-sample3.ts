import { sampleDepartments } from '#server/features/feed/sample/departments.ts'
import { planProject } from '#server/features/feed/sample/project-plan.ts'
import { seededRandom } from '#server/features/feed/sample/seeded-random.ts'
import { dayOf } from '#server/features/feed/sample/working-days.ts'
const d=sampleDepartments(1); const N=Number(process.argv[2]??60), off=Number(process.argv[3]??0), only=process.argv[4]
let shown=0
for(let i=off;shown<N;i++){const p=planProject(seededRandom(1,'x',i),d,dayOf('2026-06-15')); if(only&&p.trade!==only&&p.department.kind!==only) continue; shown++; console.log(`${p.title}\n    ${p.department.subName} | ${p.department.kind} ${p.type} ${p.trade} ${p.budget.toLocaleString()} | ${p.province.th} ${p.method} ${p.days}d`)}
