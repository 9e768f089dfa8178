import { readHoldout, readTitles } from '/work/main/scripts/term-model/read-titles.ts'
import { learnPhrases, countWords } from '/work/main/scripts/term-model/learn-phrases.ts'
import { VocabularySegmenter } from '/work/main/server/meaning/segment.ts'
import { writeFileSync, createWriteStream } from 'node:fs'
const limit = Number(process.argv[2] ?? 1e9), out = process.argv[3]!
const t0=Date.now(); const log=(s:string)=>console.log(((Date.now()-t0)/1000).toFixed(1), s)
const holdout = readHoldout('/work/shared/matching/labels-dev.tsv')
const { read, titles } = await readTitles('/work/shared/data/egp-2568-all-1388312.csv.xz', holdout, limit)
log(`${read} read ${titles.length} titles`)
const corpus = learnPhrases(titles, log)
const counts = countWords(corpus.words.length, corpus.tokens)
const byText = new Map<string, number>()
corpus.words.forEach((w,i)=>byText.set(w,(byText.get(w)??0)+counts[i]!))
const min = 10
const vocab=[...byText].filter(([w,c])=>c>=min).sort((a,b)=>b[1]-a[1])
log(`vocab ${vocab.length}`)
const seg = new VocabularySegmenter(vocab.map(v=>v[0]), vocab.map(v=>v[1]))
const w = createWriteStream(out+'.txt')
const c2 = new Uint32Array(vocab.length)
let n=0
for (const t of titles) {
  const line: string[]=[]
  for (const u of seg.segment(t)) { if (u.id>=0) c2[u.id]!++; if (u.id>=0 || !/^\d/.test(u.text)) line.push(u.text.replaceAll(' ','_')) }
  w.write(line.join(' ')+'\n')
}
w.end()
log('segmented')
writeFileSync(out+'.vocab.tsv', vocab.map((v,i)=>[v[0],c2[i]] as const).filter(v=>v[1]!>0).sort((a,b)=>b[1]!-a[1]!).map(v=>v.join('\t')).join('\n'))
