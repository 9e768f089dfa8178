import { clear, del, delMany, entries, get, set, type UseStore } from 'idb-keyval'

export type OfflineStore = ReturnType<typeof createOfflineStore>

const OBJECT_STORE = 'kept'

/** Opens the database lazily, and closes it when another tab or the end of the session deletes it. */
export function createOfflineStore(name: string) {
  let databasePromise: Promise<IDBDatabase> | undefined
  const open = () => {
    databasePromise ??= openDatabase(name, () => {
      databasePromise = undefined
    })
    databasePromise.catch(() => {
      databasePromise = undefined
    })
    return databasePromise
  }
  const store: UseStore = async (mode, work) =>
    work((await open()).transaction(OBJECT_STORE, mode).objectStore(OBJECT_STORE))
  return {
    get: <T>(key: string) => get<T>(key, store),
    set: (key: string, value: unknown) => set(key, value, store),
    remove: (keys: readonly string[]) => (keys.length === 1 ? del(keys[0]!, store) : delMany([...keys], store)),
    all: <T>() => entries<string, T>(store),
    clear: () => clear(store),
  }
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open(name, 1)
    openRequest.onupgradeneeded = () => void openRequest.result.createObjectStore(OBJECT_STORE)
    openRequest.onerror = () => reject(openRequest.error)
    openRequest.onsuccess = () => {
      const database = openRequest.result
      database.onversionchange = () => {
        database.close()
        onClose()
      }
      database.onclose = onClose
      resolve(database)
    }
  })
}
