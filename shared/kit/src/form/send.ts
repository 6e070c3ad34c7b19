import { isEndpoint, type Endpoint, type Input } from '@dmp/contract/endpoint'
import { call as makeCall, CallError, refreshIfChanged, updateCache } from '@dmp/kit'
import type { FieldEntry } from './formContext.ts'
import { toSend, type FormErrors, type FormSchema, type FormValues } from './formSchema.ts'

export interface Sending {
  readonly schema: FormSchema
  readonly call: Endpoint | ((values: never) => Promise<unknown>)
  readonly input: FormValues
  readonly refreshes: readonly Endpoint[]
}

/** Makes the form's call: an endpoint with the values as typed, a function with the parsed values. */
export async function send(
  { call, schema, input, refreshes }: Sending,
  { start, values }: { readonly start: FormValues; readonly values: FormValues },
  output: unknown,
): Promise<unknown> {
  if (!isEndpoint(call)) return call(output as never)
  try {
    const callInput = { ...input, ...toSend(schema, values, start) } as Input<Endpoint>
    const answer = await makeCall(call, callInput)
    updateCache(call, { input: callInput, answer, refreshes })
    return answer
  } catch (error) {
    refreshIfChanged(error, call, refreshes)
    throw error
  }
}

/** Divides a failed call's messages between the fields and the place beside the button, so that none is shown twice. */
export function toFormRefusal(
  error: unknown,
  entries: ReadonlyMap<string, FieldEntry>,
): { readonly error: unknown; readonly fields: FormErrors } {
  if (!(error instanceof CallError)) return { error, fields: {} }
  const fields: Record<string, string> = {}
  for (const { path, message } of error.fields) {
    // The server names fields by path; a field of the form shows its message.
    const name = path.split('.').find((part) => entries.has(part))
    if (name) fields[name] ??= message
  }
  const said = Object.values(fields)
  const { status, code, message, requestId, retryAfter } = error
  const unsaidFields = error.fields.filter((field) => !said.includes(field.message))
  if (unsaidFields.length === 0 && said.includes(message)) return { fields, error: null }
  return {
    fields,
    error: new CallError(status, code, message, { requestId, retryAfter, cause: error, fields: unsaidFields }),
  }
}
