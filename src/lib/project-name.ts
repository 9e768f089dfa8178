/** How bids are invited stands at both ends of nearly every name of e-GP, and in columns of its own. */
const INVITED = ['ประกวดราคา', 'สอบราคา']
const BOUGHT = ['ซื้อ', 'จ้าง', 'เช่า']
const BY_METHOD = ['ด้วยวิธี', 'โดยวิธี']
/** What is left is a name, not the end of one. */
const LEAST = 8

/**
 * The name of a project where there is little room: `ซื้อกล้องวงจรปิด 64 จุด` of `ประกวดราคาซื้อกล้องวงจรปิด 64 จุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)`.
 * A name that says nothing else stays as it is. The whole name stands on the project's page.
 */
export function shortProjectName(name: string): string {
  const start = INVITED.find((word) => BOUGHT.some((bought) => name.startsWith(word + bought)))?.length ?? 0
  const method = Math.max(...BY_METHOD.map((word) => name.lastIndexOf(word)))
  const short = name.slice(start, method === -1 ? undefined : method).trim()
  return short.length < LEAST ? name : short
}
