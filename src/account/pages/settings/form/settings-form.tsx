import { SchemaForm, type SchemaFormProps } from '#src/account/form-refusal/schema-form.tsx'
import { useUnsavedChanges } from './unsaved-changes.tsx'

type SettingsFormProps = SchemaFormProps & { form: { readonly formState: { readonly isDirty: boolean } } }

/** A form of the settings: leaving the page with unsaved input asks for confirmation. */
export function SettingsForm(props: SettingsFormProps) {
  useUnsavedChanges(props.form.formState.isDirty)
  return <SchemaForm {...props} />
}
