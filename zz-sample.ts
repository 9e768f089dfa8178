import { sampleDepartments } from '#server/features/feed/sample/departments.ts'
const t=performance.now(); const d=sampleDepartments(1); console.log(d.all.length, performance.now()-t)
const c:Record<string,number>={}; for(const x of d.all) c[x.kind]=(c[x.kind]??0)+1; console.log(c, new Set(d.all.map(x=>x.province.code)).size)
for(let i=0;i<40;i++){const x=d.all[(i*7919)%d.all.length]!; console.log(x.name,'/',x.subName,'|',x.subdistrict,x.district,x.province.th)}
