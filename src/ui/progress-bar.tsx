import { classNames } from '#src/lib/class-names.ts'

type ProgressBarProps = {
  label: string
  /** If undefined, the progress is unknown and the bar is indeterminate. */
  value: number | undefined
  max: number
  valueText?: string | undefined
  className?: string
}

export function ProgressBar({ label, value, max, valueText, className }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      aria-valuetext={valueText}
      className={classNames(
        'block h-1.5 appearance-none overflow-hidden rounded-full border-0 bg-line [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent [&:indeterminate::-moz-progress-bar]:bg-transparent',
        className,
      )}
    />
  )
}
