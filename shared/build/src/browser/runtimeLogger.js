// Stands for the federation runtime's logger, without the stacks that it adds to each line for its own developers
// (`LeanRuntimePlugin.ts`).
class Logger {
  constructor(prefix) {
    this.setPrefix(prefix)
  }
  setPrefix(prefix) {
    this.prefix = prefix
    for (const method of ['log', 'info', 'warn', 'error'])
      this[method] = (...said) => console[method](this.prefix, ...said)
  }
  setDelegate() {}
  success(...said) {
    this.info(...said)
  }
  ready(...said) {
    this.info(...said)
  }
  debug() {}
}
export const createLogger = (prefix) => new Logger(prefix)
export const createInfrastructureLogger = createLogger
export const logger = createLogger('[ Module Federation ]')
export const infrastructureLogger = logger
export const bindLoggerToCompiler = () => undefined
