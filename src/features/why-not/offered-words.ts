/** Words of procurement that say nothing about what is bought; of every title, whatever it is about. */
const FILLERS = new Set(
  `โครงการ ซื้อ จัด จัดซื้อ จ้าง จัดจ้าง เหมา จ้างเหมา บริการ งาน การ ความ จัดหา จำนวน รายการ ชุด เครื่อง ตัว อัน คัน หลัง แห่ง สาย ระบบ
  พร้อม และ หรือ ของ ใน ที่ สำหรับ เพื่อ ด้วย โดย วิธี แบบ ตาม จาก ให้ กับ แก่ ภายใน บริเวณ ประจำ ปี พ ศ งบประมาณ ประจำปี ปีงบประมาณ
  ประกวด ราคา ประกวดราคา อิเล็กทรอนิกส์ เฉพาะ เจาะจง เฉพาะเจาะจง คัดเลือก bidding e ebidding ต่อ อื่น อื่นๆ ระหว่าง เดือน ครั้ง ใช้ ทำ`.split(
    /\s+/,
  ),
)
/** From here on a title says where, not what. */
const PLACE = /(?:ถนนสาย|ทางหลวงหมายเลข|[-\s]บ้าน|ตำบล|อำเภอ|จังหวัด|แขวง|เขต|หมู่ที่|หมู่ที|หมู่บ้าน|ต\.|อ\.|จ\.|ม\.)/
/** Segments of one offered word: "กล้อง|วงจร|ปิด" is one word of three. */
const MOST_SEGMENTS = 3
const LEAST_LETTERS = 3

let segmenter: Intl.Segmenter | undefined

/** Words of a title that a person may want to watch, in the order of the title: runs of words that say what is bought. */
export function offeredWords(title: string, most = 6): string[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const what = title.split(PLACE)[0]!
  const runs: string[][] = [[]]
  for (const { segment, isWordLike } of segmenter.segment(what)) {
    const isFiller = !isWordLike || FILLERS.has(segment.toLowerCase()) || /^[\d๐-๙.,]+$/.test(segment)
    if (isFiller) runs.push([])
    else runs.at(-1)!.push(segment)
  }
  const words = runs.flatMap((run) =>
    run.flatMap((_, index) => (index % MOST_SEGMENTS === 0 ? [run.slice(index, index + MOST_SEGMENTS).join('')] : [])),
  )
  return [...new Set(words)].filter((word) => word.length >= LEAST_LETTERS).slice(0, most)
}
