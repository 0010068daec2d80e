export { chooseDtype } from './choose-dtype.js';
export { fingerprintFolder } from './fingerprint.js';
export { encoderOf, graphFiles } from './graph-files.js';
export { type FolderOptions, readModelFolder } from './read-model-folder.js';
export { type RequiredFiles, requiredFiles } from './required-files.js';
