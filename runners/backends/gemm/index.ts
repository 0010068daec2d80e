export { type Gemm, openGemm } from './open-gemm.js';
