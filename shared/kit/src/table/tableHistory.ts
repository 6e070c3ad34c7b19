import * as v from 'valibot'

const key = 'dataTableHistory'

const Text = v.string('Text.')
/** 9.11: the keys List, Detail and SelectedOrganization, plus the module they belong to. */
const History = v.object({
  currentModule: v.optional(Text, ''),
  /** Query string of the list when a row was opened. */
  List: v.optional(Text, ''),
  /** Where the opened row led. */
  Detail: v.optional(Text, ''),
  SelectedOrganization: v.optional(Text, ''),
})
type History = v.InferOutput<typeof History>

function read(module: string): History {
  const nothing: History = { currentModule: module, List: '', Detail: '', SelectedOrganization: '' }
  try {
    const parsed = v.safeParse(History, JSON.parse(localStorage.getItem(key) ?? 'null'))
    // History of another module does not count.
    return parsed.success && parsed.output.currentModule === module ? parsed.output : nothing
  } catch {
    return nothing
  }
}

function write(history: History): void {
  try {
    localStorage.setItem(key, JSON.stringify(history))
  } catch {
    // Without storage, the list starts afresh next time.
  }
}

/**
 * The data-table history of clause 9.11 in local storage. It belongs to one module at a time and is gone after a
 * sign-out.
 */
export const tableHistory = {
  /** The organization last chosen in this module's list ('scan'); null when none is remembered. */
  selectedOrganization: (module: string): string | null => read(module).SelectedOrganization || null,
  selectOrganization: (module: string, organizationId: string | null): void =>
    write({ ...read(module), SelectedOrganization: organizationId ?? '' }),
  /** 2.58, 2.60: the list's state when a row was opened. */
  open: (module: string, list: string, detail: string): void => write({ ...read(module), List: list, Detail: detail }),
  /** Query string of the list when its last row was opened; '' when none was. */
  list: (module: string): string => read(module).List,
}
