namespace lapscope::cli {

int run(int argc, char** argv);

}  // namespace lapscope::cli

int main(int argc, char** argv) { return lapscope::cli::run(argc, argv); }
