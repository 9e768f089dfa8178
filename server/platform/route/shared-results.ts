import { LRUCache } from 'lru-cache'

type Entry<V> = { readonly result: Promise<V> }

/**
 * Results that several callers share while they are computed and afterwards, within `maxBytes`; those used last stay. A computation that fails is forgotten.
 * An unfinished one counts as one byte.
 */
export class SharedResults<V> {
  readonly #entries: LRUCache<string, Entry<V>>
  readonly #bytesOf: (value: V) => number

  constructor(options: { readonly maxBytes: number; readonly bytesOf: (value: V) => number }) {
    this.#entries = new LRUCache({ maxSize: options.maxBytes })
    this.#bytesOf = options.bytesOf
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  clear(): void {
    this.#entries.clear()
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Promise<V> | undefined {
    return this.#entries.get(key)?.result
  }

  add(key: string, result: Promise<V>): Promise<V> {
    const pending: Entry<V> = { result }
    this.#entries.set(key, pending, { size: 1 })
    result.then(
      (value) => {
        // A new entry: lru-cache ignores the size of a value that it already has, and the cache would grow without a bound.
        if (this.#entries.peek(key) === pending)
          this.#entries.set(key, { result }, { size: Math.max(1, this.#bytesOf(value)) })
      },
      () => {
        if (this.#entries.peek(key) === pending) this.#entries.delete(key)
      },
    )
    return result
  }
}
