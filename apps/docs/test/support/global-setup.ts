export { default } from "@cardbridge/api/testing/setup";
