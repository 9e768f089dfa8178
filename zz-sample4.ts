import { sampleSource } from '#server/features/feed/sample/sample-source.ts'
const t=performance.now(); let n=0; const c=new Map<string,number>(); const inc=(k:string)=>c.set(k,(c.get(k)??0)+1)
const today=process.argv[2]??'2026-11-21'
const L:number[]=[], body:number[]=[]; const names=new Map<string,number>(); const ids=new Set<string>(); let open=0,draft=0,closed=0,thai=0,arch=0; const disc:number[]=[]; const lead:number[]=[]; const budgets:number[]=[]; const depts=new Set<string>(); const prov=new Set<number>(); const win=new Set<string>()
for await (const item of sampleSource({seed:1,today}).records(0)){ n++; if(!('record' in item)) continue; const r=item.record
 inc('m '+r.method); inc('t '+r.methodType); inc('s '+r.status); const last=r.announcements!.at(-1)!.movement; inc('v '+last); inc('c '+r.criteria); for(const a of r.announcements!) inc('a '+a.movement)
 L.push(r.name!.length); body.push(r.name!.replace(/ (ด้วย|โดย)วิธี.*/,'').length); names.set(r.name!,(names.get(r.name!)??0)+1); ids.add(r.projectId); if(/[๐-๙]/.test(r.name!)) thai++
 if(last==='draft_published'||last==='draft_revised'||last==='reference_price_published') draft++
 if(last==='invited'||last==='invitation_amended'){ if(r.submissionEndsOn!>=today) open++; else closed++}
 if(r.status==='สิ้นสุดสัญญา'||/cancel/.test(r.status!)) arch++
 if(r.method==='e_bidding'&&r.winnerSatang) disc.push(1-r.winnerSatang/r.estimateSatang!)
 if(r.method==='e_bidding'&&r.contractSignedOn) lead.push((Date.parse(r.contractSignedOn)-Date.parse(r.biddingInvitedOn!))/864e5)
 if(r.method==='e_bidding') budgets.push(r.budgetSatang!/100)
 depts.add(r.deptName+r.deptSubName); prov.add(r.deptProvince!); if(r.winnerName) win.add(r.winnerName); if(r.remark) inc('remark')
 inc('fy '+r.fiscalYear); for(const k of ['budgetSatang','estimateSatang','submissionTime','draftPublishedOn'] as const) if(r[k]==null) inc('null '+k)
 if(r.attachments!.length===0) inc('noatt')
}
const q=(v:number[],...ps:number[])=>{v.sort((a,b)=>a-b); return ps.map(p=>Math.round(v[Math.floor(v.length*p)]!*1000)/1000).join(' ')}
console.log(n,'ms',performance.now()-t,'ids',ids.size,'depts',depts.size,'prov',prov.size,'winners',win.size)
console.log('open',open,'draft',draft,'closed',closed,'arch',arch,'thai',thai/n,'dups',[...names.values()].filter(v=>v>1).reduce((a,b)=>a+b-1,0))
console.log('len',q(L,.05,.5,.95,.99,.9999),'body',q(body,.05,.5,.95,.99)); console.log('disc',q(disc,.01,.25,.5,.75,.95),'above',disc.filter(d=>d<0).length/disc.length); console.log('lead',q(lead,.05,.25,.5,.75,.95)); console.log('budget',q(budgets,.05,.5,.95,.999))
console.log([...c].sort().map(([k,v])=>k+'='+v).join('  '))
