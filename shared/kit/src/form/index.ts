export { Choice, type ChoiceProps } from './Choice.tsx'
export {
  CheckboxField,
  EmailField,
  PhoneField,
  SelectField,
  SliderField,
  TextAreaField,
  TextField,
  TitleField,
  type CheckboxFieldProps,
  type Option,
  type SelectFieldProps,
  type SliderFieldProps,
  type TextAreaFieldProps,
  type TextFieldProps,
} from './fields.tsx'
export type { FieldProps } from './Field.tsx'
export { useFormValue } from './formContext.ts'
export { FormModal } from './FormModal.tsx'
export type { FormSchema, FormValues } from './formSchema.ts'
export { ImageField, type ImageData } from './ImageField.tsx'
export { PasswordField, type PasswordFieldProps } from './PasswordField.tsx'
export { SchemaForm, type ActionFormProps, type EndpointFormProps } from './SchemaForm.tsx'
export { SearchBox, type SearchBoxProps } from './SearchBox.tsx'
export { UniqueEmailField, type UniqueEmailFieldProps } from './UniqueEmailField.tsx'
