import { LRUCache } from 'lru-cache'

type Entry<V> = { readonly result: Promise<V> }

/**
 * LRU cache of results, up to `maxBytes`. Callers that need the same result share one computation. Failed computations
 * are removed. A pending one counts as one byte.
 */
export class SharedResultCache<V> {
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
        // A new object: lru-cache ignores the new size when the same object is set again, and would grow without bound.
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
