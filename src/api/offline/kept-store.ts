import { clear, del, delMany, entries, get, set, type UseStore } from 'idb-keyval'

/** Persistent key-value store, backed by IndexedDB; tests use memory. */
export type KeptStore = {
  get<T>(key: string): Promise<T | undefined>
  set(key: string, value: unknown): Promise<void>
  remove(keys: readonly string[]): Promise<void>
  all<T>(): Promise<readonly (readonly [string, T])[]>
  clear(): Promise<void>
}

const TABLE = 'kept'

/** Opens the database lazily. Closes it when another tab or the end of the session deletes it. */
export function keptStore(name: string): KeptStore {
  let opened: Promise<IDBDatabase> | undefined
  const open = () => {
    opened ??= openDatabase(name, () => {
      opened = undefined
    })
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const store: UseStore = async (mode, work) => work((await open()).transaction(TABLE, mode).objectStore(TABLE))
  return {
    get: (key) => get(key, store),
    set: (key, value) => set(key, value, store),
    remove: (keys) => (keys.length === 1 ? del(keys[0]!, store) : delMany([...keys], store)),
    all: () => entries(store),
    clear: () => clear(store),
  }
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => void asked.result.createObjectStore(TABLE)
    asked.onerror = () => reject(asked.error)
    asked.onsuccess = () => {
      const database = asked.result
      database.onversionchange = () => {
        database.close()
        onClose()
      }
      database.onclose = onClose
      resolve(database)
    }
  })
}
