/** Colours of groups: told apart at a glance beside the name, which carries the meaning. */
const DOTS = [
  'bg-sky-500',
  'bg-violet-500',
  'bg-amber-500',
  'bg-emerald-500',
  'bg-pink-500',
  'bg-indigo-500',
  'bg-lime-600',
  'bg-orange-500',
  'bg-rose-500',
  'bg-cyan-600',
  'bg-fuchsia-600',
  'bg-yellow-500',
  'bg-blue-700',
] as const
const NO_GROUP = 'bg-slate-400'

/** A group keeps its colour whatever happens to the others. */
export function groupDot(groupId: number | null): string {
  return groupId === null ? NO_GROUP : DOTS[Math.abs(groupId) % DOTS.length]!
}
