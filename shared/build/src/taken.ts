import type webpack from 'webpack'

/** What is looked at of a dependency of webpack: the module that is asked for, and the names taken from it. */
interface Specifier {
  readonly type: string
  readonly request?: string
  readonly ids?: readonly string[]
}

export interface Taken {
  /** As it is imported: `@dmp/kit/table`. */
  readonly request: string
  /** A name, and what is taken of its value; none where the whole module is. */
  readonly ids: readonly string[]
  /** The file that takes it. */
  readonly by: string
}

/**
 * What the modules of a build take from a package, those of the package itself left out.
 *
 * @param from.folder where the package lies, with the separator at its end
 */
export function listTaken(
  compilation: webpack.Compilation,
  from: { readonly packageName: string; readonly folder: string },
): Taken[] {
  const { packageName, folder } = from
  const isOfPackage = (request: string): boolean => request === packageName || request.startsWith(`${packageName}/`)
  // What was joined into one module is looked at one by one.
  const modules = [...compilation.modules].flatMap((module) =>
    'modules' in module ? [...(module.modules as Iterable<webpack.Module>)] : [module],
  )
  return modules.flatMap((module) => {
    const { resource } = module as { resource?: string }
    if (resource === undefined || resource.startsWith(folder)) return []
    return (module.dependencies as readonly Specifier[]).flatMap(({ type, request = '', ids }) =>
      ids !== undefined && isOfPackage(request) && type.includes('specifier') ? [{ request, ids, by: resource }] : [],
    )
  })
}
