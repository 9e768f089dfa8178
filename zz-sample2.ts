import { sampleDepartments } from '#server/features/feed/sample/departments.ts'
import { gunzipSync } from 'node:zlib'; import { readFileSync } from 'node:fs'
const real=new Set(gunzipSync(readFileSync('/work/shared/data/agencies-64114.csv.gz')).toString('utf8').split('\n').map(l=>l.split(',')[1]?.trim().replace(/^\d+ /,'')))
const d=sampleDepartments(1).all.filter(x=>real.has(x.subName)); const c:Record<string,string[]>={}; for(const x of d)(c[x.kind]??=[]).push(x.subName)
for(const k in c) console.log(k,c[k]!.length,c[k]!.slice(0,12).join(' , '))
