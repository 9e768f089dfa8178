/**
 * The rows to draw while the answer without the hidden ones is on its way: what the user has just hidden leaves at once, and in
 * the view of hidden projects what was just taken back.
 */
export function visibleRows<Row extends { readonly project_id: string }>(
  rows: Row[],
  hidden: ReadonlySet<string>,
  showsHidden: boolean,
): Row[] {
  return rows.every(({ project_id }) => hidden.has(project_id) === showsHidden)
    ? rows
    : rows.filter(({ project_id }) => hidden.has(project_id) === showsHidden)
}
