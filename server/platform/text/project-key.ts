const DIGITS = 14

/**
 * Encodes an id of up to 14 digits as a number that sorts like the text in the database: the digits right-padded to 14,
 * then the length. Undefined for other ids, whose order depends on the database collation.
 */
export function encodeProjectKey(id: string): number | undefined {
  if (id.length === 0 || id.length > DIGITS) return undefined
  let digits = 0
  // A loop, because a pattern takes five times as long for the 650,000 hits of a search by meaning.
  for (let at = 0; at < DIGITS; at += 1) {
    const digit = at < id.length ? id.charCodeAt(at) - 48 : 0
    if (digit < 0 || digit > 9) return undefined
    digits = digits * 10 + digit
  }
  return digits * 16 + id.length
}

export function decodeProjectKey(key: number): string {
  return String(Math.floor(key / 16))
    .padStart(DIGITS, '0')
    .slice(0, key % 16)
}

const FREE_SLOT = -1

/** Maps keys to rows by open addressing in typed arrays: 16 bytes per project, versus 60 in a Map. */
export class ProjectKeyRowMap {
  #rows = new Int32Array(1_024).fill(FREE_SLOT)
  #keys = new Float64Array(1_024)
  #size = 0

  get usedBytes(): number {
    return this.#rows.byteLength + this.#keys.byteLength
  }

  get(key: number): number | undefined {
    const row = this.#rows[this.#slotOf(key)]!
    return row === FREE_SLOT ? undefined : row
  }

  set(key: number, row: number): void {
    if (this.#size * 2 >= this.#rows.length) this.#grow()
    const slot = this.#slotOf(key)
    if (this.#rows[slot] === FREE_SLOT) this.#size += 1
    this.#rows[slot] = row
    this.#keys[slot] = key
  }

  #slotOf(key: number): number {
    const mask = this.#rows.length - 1
    const low = Math.floor(key / 16) % 0x1_0000_0000
    let slot = (Math.imul(low ^ Math.floor(key / 0x100_0000), 0x9e3779b1) >>> 7) & mask
    while (this.#rows[slot] !== FREE_SLOT && this.#keys[slot] !== key) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [rows, keys] = [this.#rows, this.#keys]
    this.#rows = new Int32Array(rows.length * 2).fill(FREE_SLOT)
    this.#keys = new Float64Array(rows.length * 2)
    for (let slot = 0; slot < rows.length; slot += 1) {
      const row = rows[slot]!
      if (row === FREE_SLOT) continue
      const target = this.#slotOf(keys[slot]!)
      this.#rows[target] = row
      this.#keys[target] = keys[slot]!
    }
  }
}
