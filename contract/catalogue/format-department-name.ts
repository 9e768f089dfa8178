/** Returns the text that the filter `project_dept_sub__in` searches. */
export function formatDepartmentName(row: { readonly dept_name: string; readonly dept_sub_name: string }): string {
  return `${row.dept_name} ${row.dept_sub_name}`.trim()
}

export function formatWinnerNames(project: {
  readonly winner_name: string | null
  readonly other_winners?: string | null
}): string {
  const first = project.winner_name?.replaceAll('\n', ' ')
  return [first, project.other_winners].filter(Boolean).join('\n')
}
