const DIGITS = 14
const DIGITS_ONLY = /^\d{1,14}$/

/**
 * Encodes an id of up to 14 digits as a number with the same sort order as the text in the database: digits
 * right-padded to 14, then the length. Undefined for other ids, whose order depends on the database collation.
 */
export function projectKey(id: string): number | undefined {
  return DIGITS_ONLY.test(id) ? Number(id.padEnd(DIGITS, '0')) * 16 + id.length : undefined
}

export function projectIdOf(key: number): string {
  return String(Math.floor(key / 16))
    .padStart(DIGITS, '0')
    .slice(0, key % 16)
}

const FREE = -1

/** Maps keys to rows by open addressing in typed arrays: 16 bytes per project, versus 60 in a Map. */
export class RowByKey {
  #rows = new Int32Array(1_024).fill(FREE)
  #keys = new Float64Array(1_024)
  #size = 0

  get heldBytes(): number {
    return this.#rows.byteLength + this.#keys.byteLength
  }

  get(key: number): number | undefined {
    const row = this.#rows[this.#placeOf(key)]!
    return row === FREE ? undefined : row
  }

  set(key: number, row: number): void {
    if (this.#size * 2 >= this.#rows.length) this.#grow()
    const place = this.#placeOf(key)
    if (this.#rows[place] === FREE) this.#size += 1
    this.#rows[place] = row
    this.#keys[place] = key
  }

  #placeOf(key: number): number {
    const mask = this.#rows.length - 1
    const low = Math.floor(key / 16) % 0x1_0000_0000
    let place = (Math.imul(low ^ Math.floor(key / 0x100_0000), 0x9e3779b1) >>> 7) & mask
    while (this.#rows[place] !== FREE && this.#keys[place] !== key) place = (place + 1) & mask
    return place
  }

  #grow(): void {
    const [rows, keys] = [this.#rows, this.#keys]
    this.#rows = new Int32Array(rows.length * 2).fill(FREE)
    this.#keys = new Float64Array(rows.length * 2)
    for (let place = 0; place < rows.length; place += 1) {
      const row = rows[place]!
      if (row === FREE) continue
      const target = this.#placeOf(keys[place]!)
      this.#rows[target] = row
      this.#keys[target] = keys[place]!
    }
  }
}
