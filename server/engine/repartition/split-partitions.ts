import sql from 'sql-template-tag'
import type { Db } from '../db.ts'
import { type CopyOptions, copyAndExchange, RepartitionRefused, type SplitReport } from './copy-and-exchange.ts'
import { type Copy, OF_TABLE, PARTITIONS_OF } from './copy-sql.ts'

export type SplitRequest = CopyOptions & {
  readonly table: string
  /** A multiple of what there is. */
  readonly partitions: number
}
/** A partition by hash: the rows whose key leaves `remainder` when its hash is divided by `modulus`. */
type Partition = { readonly name: string; readonly modulus: number; readonly remainder: number }
/** The table's number, and the columns by whose hash it is partitioned. */
type Parent = { readonly id: number; readonly key: string }

/**
 * Divides the partitions of a hash-partitioned table, one after the other (`copyAndExchange`). Rows of `modulus 16, remainder 3` are those of `modulus 64` with the remainders 3, 19, 35 and 51, so
 * the table is one that could stay so after each of them. Rejects with `RepartitionRefused`.
 */
export async function splitPartitions(db: Db, request: SplitRequest): Promise<SplitReport> {
  const { table, partitions } = request
  if (db.engine !== 'postgres')
    throw new RepartitionRefused(
      'the embedded database has one session and needs no more partitions: this is for PostgreSQL',
    )
  const [parent] = await db.query<Parent>(sql`
    select p.partrelid::int8 as id, replace(pg_get_partkeydef(p.partrelid), 'HASH ', '') as key from pg_partitioned_table p
    where p.partrelid = ${OF_TABLE(table)} and p.partstrat = 'h'`)
  if (parent === undefined) throw new RepartitionRefused(`${table} is not a table that is partitioned by hash`)
  const all = await db.query<Partition>(sql`
    select c.relname::text as name, substring(b.bound from 'modulus ([0-9]+)')::int as modulus, substring(b.bound from 'remainder ([0-9]+)')::int as remainder
    from ${PARTITIONS_OF(table)} order by 3, 2`)
  const odd = all.find(({ modulus }) => partitions % modulus !== 0)
  if (odd !== undefined || !Number.isInteger(partitions) || partitions < 1)
    throw new RepartitionRefused(
      `${table} has partitions of ${[...new Set(all.map(({ modulus }) => modulus))].join(' and ')}: their number becomes a multiple of that, not ${partitions}`,
    )
  const toDivide = all.filter(({ modulus }) => modulus < partitions)
  return await copyAndExchange(
    db,
    toDivide.map((partition) => divided(partition, parent, request)),
    request,
  )
}

function divided(
  { name, modulus, remainder }: Partition,
  { id, key }: Parent,
  { table, partitions }: SplitRequest,
): Copy {
  const places = Array.from({ length: partitions / modulus }, (_, i) => remainder + i * modulus)
  const parts = places.map((place) => ({
    name: `${table}_${place}`,
    bound: `with (modulus ${partitions}, remainder ${place})`,
    place: `satisfies_hash_partition(${id}::oid, ${partitions}, ${place}, ${key.slice(1, -1)})`,
  }))
  return { table, source: name, by: `hash ${key}`, parts }
}
