export { createConfigure, type Configure } from './configure.ts'
export { hostConfig } from './hostConfig.ts'
export { remoteConfig } from './remoteConfig.ts'
export { viewerConfig } from './viewerConfig.ts'
